// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A reader gets a hold of a write buffer, or none: it reads no bytes of its next user. */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The log let go first.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The reader read the region's bytes.")
@Outcome(expect = FORBIDDEN, desc = "Bytes of the next user, or given back twice or never.")
@State
public class WriteBufferStress {

  private final AtomicInteger given = new AtomicInteger();
  private final WriteBuffer buffer = new WriteBuffer(ByteBuffer.allocate(8), this::giveBack);

  public WriteBufferStress() {
    buffer.bytes().putInt(0, 1);
  }

  private void giveBack(ByteBuffer bytes) {
    bytes.putInt(0, 2);
    given.incrementAndGet();
  }

  @Actor
  public void read(II_Result r) {
    if (buffer.tryRetain()) {
      r.r1 = buffer.bytes().getInt(0);
      buffer.release();
    }
  }

  @Actor
  public void releaseTierReference() {
    buffer.release();
  }

  @Arbiter
  public void count(II_Result r) {
    r.r2 = given.get();
  }
}
