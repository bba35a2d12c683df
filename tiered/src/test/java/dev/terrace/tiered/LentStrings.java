// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockMemory;
import java.nio.ByteBuffer;

/** Counts the references to strings, all together. For one thread. */
public final class LentStrings implements BlockCodec<String> {

  private int lent;
  private boolean isGone;

  /** References that were taken and not given back. */
  int lent() {
    return lent;
  }

  /** Lets all blocks be as good as freed, or not. */
  void gone(boolean gone) {
    isGone = gone;
  }

  @Override
  public int sizeBytes(String block) {
    return block.length();
  }

  @Override
  public int format(String block) {
    return 0;
  }

  @Override
  public void encode(String block, ByteBuffer target) {
    throw new UnsupportedOperationException("strings stay strings");
  }

  @Override
  public String decode(ByteBuffer[] bytes, int format, BlockMemory memory) {
    throw new UnsupportedOperationException("strings stay strings");
  }

  @Override
  public boolean tryRetain(String block) {
    lent += isGone ? 0 : 1;
    return !isGone;
  }

  @Override
  public void release(String block) {
    lent--;
  }
}
