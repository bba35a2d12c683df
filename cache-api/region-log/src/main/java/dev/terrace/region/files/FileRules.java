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
 */
public record FileRules(
    Predicate<String> storable, Predicate<String> encrypted, FileOrigins origins) {

  /** All files are storable, in clear, and have no origin. */
  public static final FileRules NONE = new FileRules(file -> true, file -> false, FileOrigins.NONE);

  /** Checks the parts. */
  public FileRules {
    Objects.requireNonNull(storable, "storable");
    Objects.requireNonNull(encrypted, "encrypted");
    Objects.requireNonNull(origins, "origins");
  }

  /** The same, with a choice of the files whose blocks may lie on the devices. */
  public FileRules withStorable(Predicate<String> files) {
    return new FileRules(files, encrypted, origins);
  }

  /** The same, with a choice of the files whose blocks are encrypted. */
  public FileRules withEncrypted(Predicate<String> files) {
    return new FileRules(storable, files, origins);
  }

  /** The same, with origins of the files. */
  public FileRules withOrigins(FileOrigins fileOrigins) {
    return new FileRules(storable, encrypted, fileOrigins);
  }
}
