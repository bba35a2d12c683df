// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import java.util.Map;
import java.util.Properties;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** YCSB's own workload, which also tells how many rows the table has. */
final class Operations extends CoreWorkload {

  private Operations() {}

  static synchronized Operations with(Map<String, ?> settings) {
    Properties properties = new Properties();
    settings.forEach((key, value) -> properties.setProperty(key, String.valueOf(value)));
    // YCSB's workload reports to a singleton, which takes its settings before its first use; what
    // it gathers is not read.
    Measurements.setProperties(properties);
    Operations operations = new Operations();
    try {
      operations.init(properties);
    } catch (WorkloadException e) {
      throw new IllegalStateException("YCSB refuses its settings " + properties, e);
    }
    return operations;
  }

  /** Returns what makes the key of a row from its number. */
  static LongFunction<byte[]> keys() {
    Operations operations = with(Map.of("recordcount", 1));
    return row -> Bytes.toBytes(operations.buildKeyName(row));
  }

  /** Returns the number of rows up to the last one before which none is missing. */
  long rows() {
    return transactioninsertkeysequence.lastValue() + 1;
  }
}
