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
package dev.terrace.hbase.warm;

import java.util.Locale;

/** What became of blocks that were to be warmed. */
public enum Fate {
  /** Read from the store, and cached. */
  WARMED("blocksWarmed"),
  /** Copied from a tier below to DRAM, which a restart had emptied. */
  PROMOTED("blocksPromoted"),
  /** Cached already. */
  CACHED("blocksCachedAlready"),
  /** Their file is gone: it was compacted. */
  GONE("blocksGone"),
  /** Not hit before, and their tier is full. */
  COLD("blocksNotWorthRoom"),
  /** The tiers, or a column family that is not to be cached, refused them. */
  REFUSED("blocksRefused"),
  /** Not read: there is no such block, or the store failed. */
  FAILED("blocksFailed"),
  /** Their region closed before they were read. */
  LEFT("blocksLeft");

  private final String figure;

  Fate(String figure) {
    this.figure = figure;
  }

  /** Its name in JMX. */
  public String figure() {
    return figure;
  }

  /** Its name in the log. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
