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
package dev.terrace.bench.churn;

import dev.terrace.bench.report.Summary;

/**
 * What a run of churn showed.
 *
 * @param cache the cache's label
 * @param capacityBytes the bytes it was configured with
 * @param payloadShare the bytes of resident blocks in parts of the capacity, once a second
 * @param directBytesMost the most direct memory that the process had
 * @param blocksMedian how many blocks were resident
 * @param getsPerSecond lookups
 * @param putsPerSecond puts, one after each miss
 * @param putBytesPerSecond the payload of these puts
 * @param hitRatio the share of lookups that hit
 * @param refusedShare the share of puts that the cache says it refused or dropped
 */
record ChurnResult(
    String cache,
    long capacityBytes,
    Summary payloadShare,
    long directBytesMost,
    long blocksMedian,
    double getsPerSecond,
    double putsPerSecond,
    double putBytesPerSecond,
    double hitRatio,
    double refusedShare) {

  /** Direct memory in parts of the capacity. */
  double directShareMost() {
    return (double) directBytesMost / capacityBytes;
  }
}
