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
package dev.terrace.region.files;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * How a tier treats the blocks of a file.
 *
 * @param storable whether a file's blocks may lie on the devices; asked at each put, by its thread
 * @param encrypted whether a file's blocks lie there encrypted, for which the devices must have
 *     data keys; asked at each put that is storable
 * @param origins the origins of files, kept over a restart
 * @param leaving the blocks that a reclaim does not write anew
 */
public record FileRules(
    Predicate<String> storable,
    Predicate<String> encrypted,
    FileOrigins origins,
    LeavingBlocks leaving) {

  /** All files are storable, in clear, have no origin, and stay. */
  public static final FileRules NONE =
      new FileRules(file -> true, file -> false, FileOrigins.NONE, LeavingBlocks.NONE);

  /** Checks the parts. */
  public FileRules {
    Objects.requireNonNull(storable, "storable");
    Objects.requireNonNull(encrypted, "encrypted");
    Objects.requireNonNull(origins, "origins");
    Objects.requireNonNull(leaving, "leaving");
  }

  /** The same, with a choice of the files whose blocks may lie on the devices. */
  public FileRules withStorable(Predicate<String> files) {
    return new FileRules(files, encrypted, origins, leaving);
  }

  /** The same, with a choice of the files whose blocks are encrypted. */
  public FileRules withEncrypted(Predicate<String> files) {
    return new FileRules(storable, files, origins, leaving);
  }

  /** The same, with origins of the files. */
  public FileRules withOrigins(FileOrigins fileOrigins) {
    return new FileRules(storable, encrypted, fileOrigins, leaving);
  }

  /** The same, with blocks that a reclaim does not write anew. */
  public FileRules withLeaving(LeavingBlocks blocks) {
    return new FileRules(storable, encrypted, origins, blocks);
  }
}
