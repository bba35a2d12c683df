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
package dev.terrace.bench.load;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what was read, what of it was wrong, and the calls that failed; keeps the first of both.
 * Safe for several threads.
 */
public final class RowChecks {

  private final LongAdder rows = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final AtomicReference<String> firstFault = new AtomicReference<>();
  private final AtomicReference<Exception> firstError = new AtomicReference<>();

  /** Counts a row that was read and looked at. */
  public void row() {
    rows.increment();
  }

  /** Counts a row that was read, and what was wrong with it, if something was. */
  public void row(Optional<String> fault) {
    row();
    fault.ifPresent(this::fault);
  }

  /** Counts something wrong in what was read. */
  public void fault(String what) {
    wrong.increment();
    firstFault.compareAndSet(null, what);
  }

  /** Counts a call that failed. */
  public void error(Exception failure) {
    errors.increment();
    firstError.compareAndSet(null, failure);
  }

  /** Returns how many rows were read and looked at. */
  public long rows() {
    return rows.sum();
  }

  /** Returns how much was wrong. */
  public long wrong() {
    return wrong.sum();
  }

  /** Returns how many calls failed. */
  public long errors() {
    return errors.sum();
  }

  /** Returns the first thing that was wrong. */
  public Optional<String> firstFault() {
    return Optional.ofNullable(firstFault.get());
  }

  /** Returns the first failure of a call. */
  public Optional<Exception> firstError() {
    return Optional.ofNullable(firstError.get());
  }
}
