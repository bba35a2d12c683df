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
package dev.terrace.bench.memory;

/**
 * What opening a filled store again showed, in a new process.
 *
 * @param blocks how many blocks came back
 * @param firstHitMillis from the start of opening to the first hit
 * @param recoveredMillis from the start of opening until all blocks were back
 * @param cpuMillis the process's CPU time in that while
 * @param heapBytes the heap that it uses then, less what was used before it was opened
 * @param indexOffHeapBytes its index outside of the heap
 */
record Reopened(
    long blocks,
    double firstHitMillis,
    double recoveredMillis,
    double cpuMillis,
    long heapBytes,
    long indexOffHeapBytes) {}
