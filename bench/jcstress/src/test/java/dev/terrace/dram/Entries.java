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
package dev.terrace.dram;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.jcstress.Leased;

/** Makes entries of one file, whose blocks have one reference: the tier's. */
final class Entries {

  static final String FILE = "file";

  private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private Entries() {}

  static DramEntry<Leased> reserved(long offset) {
    return new DramEntry<>(run -> {}, new BlockKey(FILE, offset), 1, 1, TRAITS, 0);
  }

  static DramEntry<Leased> resident(long offset) {
    DramEntry<Leased> entry = reserved(offset);
    entry.keep(new Leased());
    entry.publish();
    return entry;
  }
}
