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

/** Why a block is put. */
public enum Source {
  /** A read missed it in all tiers. */
  READ,
  /**
   * It is cached ahead of any read: by a prefetch, a flush or a compaction. Waits a moment for
   * room, and not for a write limit.
   */
  AHEAD,
  /** A compaction made it of resident blocks, and drops those soon. Waits as {@link #AHEAD}. */
  REWRITTEN,
  /** The tier above evicted it. */
  DEMOTION,
  /** A copy for safekeeping: the block stays in the tier above, which a crash empties. */
  SAFEKEEPING,
  /** The same before a clean stop: there is no later chance, so no write limit holds. */
  LAST
}
