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

/** What a store showed: filled, and opened again. */
record MemoryResult(StoreKind store, Filled filled, Reopened reopened) {

  /**
   * The heap that a block takes, in bytes: after filling or after the restart, whichever is more.
   */
  double heapBytesPerBlock() {
    return Math.max(
        (double) filled.heapBytes() / filled.blocks(),
        (double) reopened.heapBytes() / reopened.blocks());
  }

  /** The index outside of the heap that a block takes, in bytes, likewise. */
  double indexBytesPerBlock() {
    return Math.max(
        (double) filled.indexOffHeapBytes() / filled.blocks(),
        (double) reopened.indexOffHeapBytes() / reopened.blocks());
  }
}
