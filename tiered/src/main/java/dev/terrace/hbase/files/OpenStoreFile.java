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
package dev.terrace.hbase.files;

/**
 * A store file that the region server has open.
 *
 * @param name the name of the file that its blocks are in
 * @param table the table with its namespace
 * @param family the column family
 * @param isBlockCacheEnabled whether the family's data is cached when it is read
 * @param isInMemory whether the family asks to be kept in memory
 * @param uncompressedBytes all of its blocks
 */
public record OpenStoreFile(
    String name,
    String table,
    String family,
    boolean isBlockCacheEnabled,
    boolean isInMemory,
    long uncompressedBytes) {

  /** Where the file belongs. */
  public KnownFiles.Place place() {
    return new KnownFiles.Place(table, family);
  }
}
