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
package dev.terrace.bench.demo;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the rows that were checked and those that were wrong, and keeps the first fault. Safe for
 * several threads.
 */
final class ValueChecks {

  private final LongAdder checked = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final AtomicReference<String> firstFault = new AtomicReference<>();

  /** Counts one row. */
  void add(Optional<String> fault) {
    checked.increment();
    fault.ifPresent(this::addFault);
  }

  /** Counts a fault that is not one of a row's value. */
  void addFault(String fault) {
    wrong.increment();
    firstFault.compareAndSet(null, fault);
  }

  long checked() {
    return checked.sum();
  }

  long wrong() {
    return wrong.sum();
  }

  /** Returns the first fault that was found. */
  Optional<String> firstFault() {
    return Optional.ofNullable(firstFault.get());
  }
}
