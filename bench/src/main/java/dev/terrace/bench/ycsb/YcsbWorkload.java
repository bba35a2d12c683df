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

import java.util.Properties;

/** Mixtures of operations; keys are drawn from a Zipf distribution with exponent 0.99. */
public enum YcsbWorkload {
  /** YCSB's workload A. */
  A("ycsb-a", "YCSB A: 50 % reads, 50 % updates", 0.5, 0.5, 0, 0, 0),
  /** YCSB's workload C. */
  C("ycsb-c", "YCSB C: reads only", 1, 0, 0, 0, 0),
  /** YCSB's workload E. */
  E("ycsb-e", "YCSB E: 95 % scans of 1 to 100 rows, 5 % inserts", 0, 0, 0.05, 0.95, 0),
  /** YCSB's workload F. */
  F("ycsb-f", "YCSB F: 50 % reads, 50 % read-modify-writes", 0.5, 0, 0, 0, 0.5),
  /** Mostly inserts, some reads, few scans. */
  INSERTS("ycsb-inserts", "40 % reads, 55 % inserts, 5 % scans", 0.4, 0, 0.55, 0.05, 0);

  /** New keys that the distribution has room for, as a part of the table's rows. */
  private static final double ROOM_FOR_INSERTS = 0.1;

  private final String id;
  private final String title;
  private final double reads;
  private final double updates;
  private final double inserts;
  private final double scans;
  private final double readModifyWrites;

  YcsbWorkload(
      String id,
      String title,
      double reads,
      double updates,
      double inserts,
      double scans,
      double readModifyWrites) {
    this.id = id;
    this.title = title;
    this.reads = reads;
    this.updates = updates;
    this.inserts = inserts;
    this.scans = scans;
    this.readModifyWrites = readModifyWrites;
  }

  /** Returns its short name. */
  public String id() {
    return id;
  }

  /** Returns what it does, in words. */
  public String title() {
    return title;
  }

  /**
   * Returns YCSB's settings for it.
   *
   * @param rowsNow rows that the table has by now, from the first one on without a gap
   */
  Properties properties(YcsbTable table, long rowsNow) {
    Properties properties = ofTable(table);
    set(properties, "recordcount", rowsNow);
    // The same keys shall stay popular from run to run, however many rows the runs have added.
    set(properties, "insertcount", table.rows());
    set(properties, "operationcount", expectedOperations(table));
    set(properties, "requestdistribution", "zipfian");
    set(properties, "scanlengthdistribution", "uniform");
    set(properties, "maxscanlength", 100);
    set(properties, "readproportion", reads);
    set(properties, "updateproportion", updates);
    set(properties, "insertproportion", inserts);
    set(properties, "scanproportion", scans);
    set(properties, "readmodifywriteproportion", readModifyWrites);
    return properties;
  }

  /** Returns YCSB's settings for the load of a table. */
  static Properties loading(YcsbTable table) {
    Properties properties = ofTable(table);
    set(properties, "recordcount", table.rows());
    set(properties, "operationcount", 0);
    return properties;
  }

  private static Properties ofTable(YcsbTable table) {
    Properties properties = new Properties();
    set(properties, "table", YcsbTable.NAME.getNameAsString());
    set(properties, "fieldcount", table.fields());
    set(properties, "fieldlength", table.fieldBytes());
    return properties;
  }

  /** YCSB takes this times the share of inserts, doubled, for the number of new keys. */
  private long expectedOperations(YcsbTable table) {
    return inserts == 0 ? 0 : Math.round(table.rows() * ROOM_FOR_INSERTS / (2 * inserts));
  }

  private static void set(Properties properties, String key, Object value) {
    properties.setProperty(key, String.valueOf(value));
  }
}
