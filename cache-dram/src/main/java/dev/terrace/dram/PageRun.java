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
package dev.terrace.dram;

/**
 * A run of adjacent pages that belong to one block, and the block's next run if one was not enough.
 *
 * @see PageAllocator
 */
record PageRun(int firstPage, int pages, PageRun next) {

  /** Runs from this one on. */
  int count() {
    int count = 0;
    for (PageRun run = this; run != null; run = run.next()) {
      count++;
    }
    return count;
  }

  /** Pages of the runs from this one on. */
  int allPages() {
    int all = 0;
    for (PageRun run = this; run != null; run = run.next()) {
      all += run.pages();
    }
    return all;
  }
}
