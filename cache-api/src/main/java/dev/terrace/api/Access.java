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

/** The kinds of lookups that the statistics tell apart. */
public enum Access {
  /** A read that would cache the block on a miss. */
  CACHING(true),
  /** A caching read by a secondary replica. */
  CACHING_REPLICA(true),
  /** A read that leaves the cache as it is, such as that of a compaction. */
  PASSING(false),
  /** A passing read by a secondary replica. */
  PASSING_REPLICA(false),
  /** A lookup that is not a read: it counts as neither hit nor miss. */
  UNCOUNTED(false);

  private final boolean caching;

  Access(boolean caching) {
    this.caching = caching;
  }

  /** Whether the read shows demand for the block. Policies learn from such reads only. */
  public boolean isCaching() {
    return caching;
  }
}
