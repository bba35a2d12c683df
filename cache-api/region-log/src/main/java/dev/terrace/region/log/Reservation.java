// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import dev.terrace.api.BlockTraits;
import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionTable;
import java.nio.ByteBuffer;

/**
 * Space for one record in an open region. The thread that reserved it writes the record, and then
 * calls {@link #keep} or {@link #giveUp}, once.
 */
public record Reservation(OpenRegion open, int position, int recordBytes, long sequence) {

  /** Encrypts blocks of this record's device; null if it has no data key. */
  public BlockCipher cipher() {
    return open.region().io.device().cipher();
  }

  /** The space for the block's bytes, of exactly their size. */
  public ByteBuffer payload(int nameBytes, int payloadBytes) {
    return open.bytes().slice(position + RecordLayout.headerBytes(nameBytes), payloadBytes);
  }

  /**
   * Writes the header, after the payload. From here on the record can be read.
   *
   * @return its address
   */
  public long finish(
      byte[] name, long offset, int payloadBytes, int format, int form, BlockTraits traits) {
    int payloadAt = position + RecordLayout.headerBytes(name.length);
    int payloadCrc = open.region().io.crc(open.bytes(), payloadAt, payloadBytes);
    return finish(name, offset, payloadBytes, payloadCrc, format, form, traits);
  }

  /**
   * Writes the header of a payload that was copied from another record.
   *
   * @param payloadCrc the checksum of the other record, so that a bit flipped there is found here
   */
  public long finish(
      byte[] name,
      long offset,
      int payloadBytes,
      int payloadCrc,
      int format,
      int form,
      BlockTraits traits) {
    BlockRecord.write(
        open.bytes(),
        position,
        open.region().life(),
        name,
        offset,
        payloadBytes,
        payloadCrc,
        format,
        form,
        traits);
    open.region().io.settle();
    return BlockAddress.of(open.region().number, position, payloadBytes);
  }

  /**
   * Completes the record.
   *
   * @param plainBytes the size of a block that was put; 0 for one that was moved
   */
  public void keep(
      String file, long offset, int payloadBytes, int plainBytes, int format, BlockTraits traits) {
    RegionTable.Entry entry =
        new RegionTable.Entry(position, payloadBytes, file, offset, sequence, traits, format == 0);
    open.complete(entry, plainBytes);
  }

  /** Gives the space up. */
  public void giveUp() {
    open.abandon(this);
  }
}
