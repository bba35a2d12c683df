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
package dev.terrace.hbase.why;

import dev.terrace.hbase.files.Owner;
import dev.terrace.hbase.files.StoreFileNames;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;

/**
 * The files that a question is about: one, or those of a table, or of a column family.
 *
 * @param file the name of the file; null if it is a table or a family
 * @param table the table with its namespace; null if it is a file
 * @param family the name of the family; null for all of a table
 */
record Subject(String file, String table, String family) {

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  /** A file by its name or its path. A reference to a part of a file counts as that file. */
  static Subject ofFile(String name) {
    String plain = name.strip();
    return new Subject(
        StoreFileNames.physical(plain.substring(plain.lastIndexOf('/') + 1)), null, null);
  }

  /**
   * A table, such as {@code users} or {@code ns:users}, or a family, such as {@code users info}.
   */
  static Subject ofTable(String name) {
    String[] words = BLANKS.split(name.strip(), 2);
    String table =
        words[0].indexOf(TableName.NAMESPACE_DELIM) >= 0
            ? words[0]
            : NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR + TableName.NAMESPACE_DELIM + words[0];
    return new Subject(null, table, words.length == 1 ? null : words[1]);
  }

  /**
   * Whether a file belongs to this.
   *
   * @param place the file's table and family; null if they are unknown
   */
  boolean has(String name, Owner.Place place) {
    if (file != null) {
      return file.equals(name);
    }
    return place != null
        && table.equals(place.table())
        && (family == null || family.equals(place.family()));
  }

  @Override
  public String toString() {
    if (file != null) {
      return "file " + file;
    }
    return family == null ? "table " + table : "family " + family + " of table " + table;
  }
}
