// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Tells a tier how to keep {@link CountedBlock}s, or fails to, as the block asks for. Thread-safe.
 */
public final class CountedBlockCodec implements BlockCodec<CountedBlock> {

  /** What goes wrong with a block. */
  public enum Fault {
    NONE,
    /** Its size is less than nothing. */
    NEGATIVE_SIZE,
    ENCODE_THROWS,
    /** An error, not an exception. */
    ENCODE_FAILS,
    ENCODE_WRITES_LESS,
    ENCODE_WRITES_NOTHING,
    ENCODE_WRITES_MORE,
    DECODE_THROWS_IO,
    DECODE_THROWS,
    /** An error, not an exception. */
    DECODE_FAILS
  }

  /** Formats from here on stand for a fault of decoding. */
  private static final int FAULTY_FORMATS = 100;

  private final LeaseLedger ledger;
  private final boolean copying;

  private CountedBlockCodec(LeaseLedger ledger, boolean copying) {
    this.ledger = ledger;
    this.copying = copying;
  }

  /** A codec whose decoded blocks lie in the tier's memory. */
  public static CountedBlockCodec sharing(LeaseLedger ledger) {
    return new CountedBlockCodec(ledger, false);
  }

  /** A codec whose decoded blocks are copies, which give the tier's memory back at once. */
  public static CountedBlockCodec copying(LeaseLedger ledger) {
    return new CountedBlockCodec(ledger, true);
  }

  /** The books of what this codec decoded. */
  public LeaseLedger ledger() {
    return ledger;
  }

  @Override
  public int sizeBytes(CountedBlock block) {
    return block.fault() == Fault.NEGATIVE_SIZE ? -block.sizeBytes() : block.sizeBytes();
  }

  @Override
  public int format(CountedBlock block) {
    return switch (block.fault()) {
      case DECODE_THROWS_IO, DECODE_THROWS, DECODE_FAILS ->
          FAULTY_FORMATS + block.fault().ordinal();
      default -> block.format();
    };
  }

  @Override
  public void encode(CountedBlock block, ByteBuffer target) {
    byte[] bytes = block.bytes();
    requireBigEndian(target);
    switch (block.fault()) {
      case ENCODE_THROWS -> throw new UnsupportedOperationException("encoding fails as asked");
      case ENCODE_FAILS -> throw new OutOfMemoryError("encoding fails as asked");
      case ENCODE_WRITES_LESS -> target.put(bytes, 0, bytes.length - 1);
      case ENCODE_WRITES_NOTHING -> {}
      case ENCODE_WRITES_MORE -> target.put(bytes).put((byte) 0);
      default -> target.put(bytes);
    }
  }

  @Override
  public CountedBlock decode(ByteBuffer[] bytes, int format, BlockMemory memory)
      throws IOException {
    for (ByteBuffer part : bytes) {
      requireBigEndian(part);
    }
    if (format >= FAULTY_FORMATS) {
      fail(Fault.values()[format - FAULTY_FORMATS]);
    }
    CountedBlock block = CountedBlock.decoded(bytes, format, memory, ledger);
    if (block.sizeBytes() % 10 != format) {
      throw ledger.violated("format=" + format + " is not that of the " + block);
    }
    if (!copying) {
      return block;
    }
    ByteBuffer[] copy = {ByteBuffer.wrap(block.bytes())};
    block.release();
    return CountedBlock.decoded(copy, format, () -> {}, ledger);
  }

  private void requireBigEndian(ByteBuffer bytes) {
    if (bytes.order() != ByteOrder.BIG_ENDIAN) {
      throw ledger.violated(bytes + " is " + bytes.order());
    }
  }

  private static void fail(Fault fault) throws IOException {
    switch (fault) {
      case DECODE_THROWS_IO -> throw new IOException("decoding fails as asked");
      case DECODE_THROWS -> throw new IllegalArgumentException("decoding fails as asked");
      default -> throw new OutOfMemoryError("decoding fails as asked");
    }
  }

  @Override
  public boolean tryRetain(CountedBlock block) {
    return block.tryRetain();
  }

  @Override
  public void release(CountedBlock block) {
    block.release();
  }
}
