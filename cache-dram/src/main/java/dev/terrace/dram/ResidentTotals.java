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

import java.util.concurrent.atomic.AtomicLong;

/**
 * The totals of the resident blocks. Any thread may call any method.
 *
 * <p>Each total held at some moment, so none is ever negative. A striped adder would not do: its
 * sum could include a block's removal from one stripe and miss its addition to another.
 */
final class ResidentTotals {

  private final AtomicLong blocks = new AtomicLong();
  private final AtomicLong pages = new AtomicLong();
  private final AtomicLong payloadBytes = new AtomicLong();

  void add(DramEntry<?> entry) {
    blocks.incrementAndGet();
    pages.addAndGet(entry.pages);
    payloadBytes.addAndGet(entry.sizeBytes);
  }

  void subtract(DramEntry<?> entry) {
    blocks.decrementAndGet();
    pages.addAndGet(-entry.pages);
    payloadBytes.addAndGet(-entry.sizeBytes);
  }

  long blocks() {
    return blocks.get();
  }

  long pages() {
    return pages.get();
  }

  long payloadBytes() {
    return payloadBytes.get();
  }
}
