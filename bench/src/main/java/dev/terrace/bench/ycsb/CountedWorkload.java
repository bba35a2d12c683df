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
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** YCSB's own workload, which also tells how many rows the table has. Safe for several threads. */
final class CountedWorkload extends CoreWorkload {

  private CountedWorkload() {}

  /**
   * Makes a workload.
   *
   * @throws IllegalStateException if YCSB does not accept the settings, which are all ours
   */
  static CountedWorkload with(Properties properties) {
    synchronized (CountedWorkload.class) {
      // YCSB's workload reports to a singleton, which takes its settings before its first use; what
      // it gathers is not read.
      Measurements.setProperties(properties);
    }
    CountedWorkload workload = new CountedWorkload();
    try {
      workload.init(properties);
    } catch (WorkloadException e) {
      throw new IllegalStateException("YCSB refuses its settings " + properties, e);
    }
    return workload;
  }

  /** Returns the number of rows up to the last one before which none is missing. */
  long rows() {
    return transactioninsertkeysequence.lastValue() + 1;
  }
}
