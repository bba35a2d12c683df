// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.load;

import dev.terrace.bench.server.RunFailure;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts rows read, wrong ones, and failed calls; keeps the first fault and the first failure.
 * Thread-safe.
 */
public final class RowChecks {

  private final LongAdder rows = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final AtomicReference<String> firstFault = new AtomicReference<>();
  private final AtomicReference<Exception> firstError = new AtomicReference<>();

  /** Counts a row that was read, and its fault if there is one. */
  public void row(Optional<String> fault) {
    rows.increment();
    fault.ifPresent(this::fault);
  }

  /** Counts a fault that no read row has, such as a missing row. */
  public void fault(String what) {
    wrong.increment();
    firstFault.compareAndSet(null, what);
  }

  void error(Exception failure) {
    errors.increment();
    firstError.compareAndSet(null, failure);
  }

  /** Counts a failed call; rethrows it if this thread was interrupted. */
  public void failed(IOException failure) throws IOException {
    if (failure instanceof InterruptedIOException && Thread.currentThread().isInterrupted()) {
      throw failure;
    }
    error(failure);
  }

  public long wrong() {
    return wrong.sum();
  }

  public long rows() {
    return rows.sum();
  }

  public long errors() {
    return errors.sum();
  }

  /** Throws if a row of a server was wrong or a call failed. */
  public void requireRight(String server) throws RunFailure {
    Optional<String> reason = reason(server);
    if (reason.isPresent()) {
      throw new RunFailure(reason.get());
    }
  }

  /** Returns the first wrong row or failed call of a server, if there is one. */
  public Optional<String> reason(String server) {
    String said = null;
    if (wrong() > 0) {
      String rows = wrong() + " of " + rows() + " rows that were read were wrong";
      said = server + ": " + rows + "; the first: " + firstFault.get();
    } else if (errors() > 0) {
      String first = String.valueOf(firstError.get()).lines().findFirst().orElse("");
      said = server + ": " + errors() + " calls failed; the first: " + first;
    }
    return Optional.ofNullable(said);
  }
}
