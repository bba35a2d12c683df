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
package dev.terrace.hbase;

import dev.terrace.hbase.checks.MachineMemory;
import dev.terrace.hbase.checks.MemoryCheck;
import dev.terrace.hbase.settings.DirectMemoryNeeds;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.region.memory.JvmMemory;

/**
 * What small blocks may take of the JVM's memory, however many there are, and what the JVM leaves.
 *
 * @param dramHeapBytes Java heap for the objects of the blocks in DRAM
 * @param sparedBytes direct memory that an index leaves to HBase when it is larger than planned
 * @param pageCacheBytes memory of the machine, or container, that the JVM never takes
 */
record MemoryBounds(long dramHeapBytes, long sparedBytes, long pageCacheBytes) {

  /** The bounds in this process. */
  static MemoryBounds of(SiteValues site, TerraceSettings settings) {
    long heapBytes = Runtime.getRuntime().maxMemory();
    return new MemoryBounds(
        MemoryCheck.dramHeapBytes(site, settings, heapBytes),
        DirectMemoryNeeds.hbaseBytes(site),
        MachineMemory.ofThisProcess().pageCacheBytes(heapBytes, JvmMemory.limitBytes()));
  }
}
