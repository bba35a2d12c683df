// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the books of the blocks that a {@link CountedBlockCodec} decoded: which of them still hold
 * memory, who took their references, and who broke the rules. Thread-safe.
 */
public final class LeaseLedger {

  private final boolean tracking;
  private final Map<CountedBlock, Queue<Throwable>> unreleased = new ConcurrentHashMap<>();
  private final Queue<Throwable> violations = new ConcurrentLinkedQueue<>();
  private final AtomicLong decoded = new AtomicLong();

  private LeaseLedger(boolean tracking) {
    this.tracking = tracking;
  }

  /** A ledger that names the blocks which are not released. */
  public static LeaseLedger counting() {
    return new LeaseLedger(false);
  }

  /** A ledger that also names their holders, by the stacks on which references were taken. */
  public static LeaseLedger tracking() {
    return new LeaseLedger(true);
  }

  /** How many blocks were decoded so far. */
  public long decoded() {
    return decoded.get();
  }

  /** How many decoded blocks still hold memory. */
  public int unreleased() {
    return unreleased.size();
  }

  void opened(CountedBlock block) {
    decoded.incrementAndGet();
    unreleased.put(block, new ConcurrentLinkedQueue<>());
    changed(block, "decoded");
  }

  void changed(CountedBlock block, String what) {
    Queue<Throwable> stacks = tracking ? unreleased.get(block) : null;
    if (stacks != null) {
      stacks.add(new Throwable(what + " by " + Thread.currentThread().getName()));
    }
  }

  void closed(CountedBlock block) {
    unreleased.remove(block);
  }

  /** Remembers a violation, as what is thrown in a tier may be swallowed there, and throws it. */
  IllegalStateException violated(String what) {
    IllegalStateException violation = new IllegalStateException(what);
    violations.add(violation);
    throw violation;
  }

  /**
   * Checks that no block was released once too often or read after its memory was freed.
   *
   * @throws AssertionError with the first violation as its cause
   */
  public void assertNoViolations() {
    if (!violations.isEmpty()) {
      throw new AssertionError(violations.size() + " violations", violations.peek());
    }
  }

  /**
   * Checks that all memory was given back.
   *
   * @throws AssertionError naming the blocks which hold memory, and who may hold them
   */
  public void assertAllReleased() {
    if (unreleased.isEmpty()) {
      return;
    }
    StringWriter text = new StringWriter();
    PrintWriter lines = new PrintWriter(text);
    unreleased.forEach(
        (block, stacks) -> {
          lines.println(block);
          stacks.forEach(stack -> stack.printStackTrace(lines));
        });
    throw new AssertionError(unreleased.size() + " blocks are not released:\n" + text);
  }
}
