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
package dev.terrace.bench.replay;

/**
 * How large the tiers are, in bytes of the trace's blocks; 0 means that there is no such tier.
 *
 * @param dramBytes memory
 * @param pmemBytes persistent memory
 * @param ssdBytes solid-state drives
 */
record TierSizes(long dramBytes, long pmemBytes, long ssdBytes) {

  /** All tiers together. */
  long totalBytes() {
    return dramBytes + pmemBytes + ssdBytes;
  }

  /** Sizes in the same proportion that make up another total, in multiples of a unit. */
  TierSizes scaledTo(long totalBytes, int unitBytes) {
    double factor = (double) totalBytes / totalBytes();
    long pmem = (long) (pmemBytes * factor) / unitBytes * unitBytes;
    long ssd = (long) (ssdBytes * factor) / unitBytes * unitBytes;
    long dram = totalBytes / unitBytes * unitBytes - pmem - ssd;
    return dramBytes == 0 ? new TierSizes(0, pmem, ssd) : new TierSizes(dram, pmem, ssd);
  }
}
