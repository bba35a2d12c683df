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
package dev.terrace.bench.ycsb;

import dev.terrace.bench.load.CheckedValue;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * The table that YCSB's workloads use, as it is after it was loaded. Its keys are YCSB's: {@code
 * user} and the hash of a number.
 *
 * @param rows rows that it is loaded with, 1 to 2^31 - 1
 * @param fields fields of a row, one or more
 * @param fieldBytes bytes of a field's value, 8 or more
 * @param regions how many regions it is created with, 1 to 9
 */
public record YcsbTable(long rows, int fields, int fieldBytes, int regions) {

  /** The table's name, YCSB's default. */
  public static final TableName NAME = TableName.valueOf("usertable");

  /** The one family of the table. */
  static final byte[] FAMILY = {'f'};

  /** Checks the ranges. */
  public YcsbTable {
    require("rows", rows, 1, Integer.MAX_VALUE);
    require("fields", fields, 1, 1000);
    require("fieldBytes", fieldBytes, CheckedValue.STAMP_BYTES, 1 << 20);
    require("regions", regions, 1, 9);
  }

  private static void require(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s=%d, must be %d to %d", name, value, least, most));
    }
  }

  /** Returns the bytes of values in the rows that it is loaded with. */
  public long valueBytes() {
    return rows * fields * fieldBytes;
  }

  /** Returns what HBase creates it from. */
  TableDescriptor descriptor() {
    return TableDescriptorBuilder.newBuilder(NAME)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
        .build();
  }

  /**
   * Returns the keys at which the regions meet. A hash of 63 bits mostly begins with a digit from 1
   * to 9, each as likely as the others.
   */
  byte[][] splitKeys() {
    byte[][] keys = new byte[regions - 1][];
    for (int region = 1; region < regions; region++) {
      keys[region - 1] = ("user" + (1 + 9 * region / regions)).getBytes(StandardCharsets.UTF_8);
    }
    return keys;
  }
}
