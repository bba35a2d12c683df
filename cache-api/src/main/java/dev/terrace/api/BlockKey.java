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

import java.util.Objects;

/**
 * The identity of a block: the file it was read from and where it starts there.
 *
 * <p>Lookups take the two parts as separate arguments, so that a hit need not allocate a key; this
 * record is for code that keeps keys.
 *
 * @param file the file's name, without a directory
 * @param offset where the block starts in the file, in bytes
 */
public record BlockKey(String file, long offset) {

  /** Checks that there is a file name. */
  public BlockKey {
    Objects.requireNonNull(file, "file");
  }

  /** A well-mixed hash of a key, the same in every process. */
  public static long hash(String file, long offset) {
    long mixed = (file.hashCode() * 0x9E3779B97F4A7C15L ^ offset) * 0xD6E8FEB86659FD93L;
    mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
    return mixed ^ mixed >>> 32;
  }
}
