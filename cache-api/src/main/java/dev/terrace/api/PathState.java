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
  /** Its blocks are served, and it takes new ones. */
  IN_SERVICE("in service"),
  /** Its blocks are served. Nothing is written until there is space for a whole region. */
  FULL("full"),
  /** Its blocks are served. Writes fail, so nothing is written until a trial succeeds. */
  READ_ONLY("read-only"),
  /** Reads or writes hang, or readers gave up lately because they took too long. */
  SLOW("frozen or slow"),
  /** It fails, or could not be opened. Its blocks are misses until a trial succeeds. */
  OUT("out of service"),
  /**
   * Its files were deleted, moved, replaced or covered by a mount, or another server has opened
   * them. Its blocks are misses.
   */
  LOST("deleted or replaced");

  private final String words;

  PathState(String words) {
    this.words = words;
  }

  /** The state as people read it. */
  public String words() {
    return words;
  }
}
