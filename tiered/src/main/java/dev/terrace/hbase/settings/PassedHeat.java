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
package dev.terrace.hbase.settings;

/**
 * Whose output is cached by what was cached or read before.
 *
 * @param ofCompactions whether what a compaction writes is cached if what it was made of is
 * @param ofFlushes whether what a flush writes is cached if what the flush before wrote was read
 */
public record PassedHeat(boolean ofCompactions, boolean ofFlushes) {

  /** Whether compactions pass the heat of blocks on. */
  public static final Setting COMPACTIONS =
      new Setting(
          TerraceSettings.PREFIX + "compaction.heat",
          "true",
          "Cache what a compaction writes if it carries rows of cached blocks, in their tier.",
          false);

  /** Whether flushes pass the heat of stores on. */
  public static final Setting FLUSHES =
      new Setting(
          TerraceSettings.PREFIX + "flush.heat",
          "true",
          "Cache what a flush writes if what the store's flush before wrote was read, in the tier"
              + " of those blocks.",
          false);

  static PassedHeat read(SettingsReader reader) {
    return new PassedHeat(reader.flag(COMPACTIONS), reader.flag(FLUSHES));
  }
}
