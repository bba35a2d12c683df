/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.api;

/** What becomes of a path of a tier, from the best to the worst. */
public enum PathState {
  /** All works. */
  IN_SERVICE("in service", "its blocks are served, and it takes new ones"),
  /** No space is left for a whole region. */
  FULL("full", "its blocks are served, and it takes no new ones until there is space"),
  /** Writes fail. */
  READ_ONLY("read-only", "its blocks are served, and it takes no new ones until a write succeeds"),
  /** Reads or writes hang, or readers gave up lately because they took too long. */
  SLOW("frozen or slow", "what takes too long is a miss, or is not written"),
  /** It fails, or could not be opened. */
  OUT("out of service", "its blocks are misses until it works again"),
  /**
   * Its files were deleted, moved, replaced or covered by a mount, or another server has opened
   * them.
   */
  LOST("deleted or replaced", "its blocks are misses until its files are back, or a restart");

  private final String words;
  private final String effect;

  PathState(String words, String effect) {
    this.words = words;
    this.effect = effect;
  }

  /** The state as people read it. */
  public String words() {
    return words;
  }

  /** What that means for its blocks: a clause. */
  public String effect() {
    return effect;
  }
}
