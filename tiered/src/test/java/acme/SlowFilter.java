// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package acme;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.filter.FilterBase;

/** Passes each cell, after a while: a call runs into its limit of time. */
public class SlowFilter extends FilterBase {

  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  public static SlowFilter parseFrom(byte[] bytes) {
    return new SlowFilter();
  }

  @Override
  public ReturnCode filterCell(Cell cell) {
    long end = System.nanoTime() + NANOS;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    return ReturnCode.INCLUDE;
  }

  @Override
  public byte[] toByteArray() {
    return new byte[0];
  }
}
