// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import dev.terrace.region.format.Superblock.CacheSecret;
import java.nio.ByteBuffer;

/**
 * Gives the structures in a region the checks that only the owner of the secret can compute, so
 * that a fuzzer gets behind them.
 */
public final class MendedChecks {

  private static final int LIFE_AT = 16;
  private static final int TABLE_BYTES_AT = 56;
  private static final int TABLE_CHECK_AT = 64;

  private final ByteBuffer region;
  private final CacheSecret secret;
  private final int footerAt;

  /**
   * The checks of a region.
   *
   * @param region all its bytes, little-endian
   */
  public MendedChecks(ByteBuffer region, CacheSecret secret) {
    this.region = region;
    this.secret = secret;
    this.footerAt = RegionLayout.footerPosition(region.capacity());
  }

  /** Mends that of the header. */
  public void header() {
    int checkAt = RegionLayout.HEADER_BYTES - Long.BYTES;
    region.putLong(checkAt, life(0).check(RegionEpoch.Part.HEADER, 0, region, 0, checkAt));
  }

  /** Mends those of the table and the footer. */
  public void footer() {
    RegionEpoch life = life(footerAt);
    int tableBytes = region.getInt(footerAt + TABLE_BYTES_AT);
    if (tableBytes >= 0 && tableBytes <= footerAt) {
      int start = footerAt - tableBytes;
      region.putLong(
          footerAt + TABLE_CHECK_AT,
          life.check(RegionEpoch.Part.TABLE, start, region, start, footerAt));
    }
    int checkAt = region.capacity() - Long.BYTES;
    region.putLong(checkAt, life.check(RegionEpoch.Part.FOOTER, 0, region, footerAt, checkAt));
  }

  /** Mends those of all records and their rooms. */
  public void records() {
    RegionEpoch life = life(0);
    for (int at = RegionLayout.FIRST_RECORD;
        at < footerAt - RecordLayout.NAME;
        at += BlockAddress.RECORD_ALIGNMENT) {
      int magic = region.getInt(at);
      if (magic == RecordLayout.MAGIC || magic == RecordLayout.RESERVED) {
        record(life, at);
      }
    }
  }

  private void record(RegionEpoch life, int at) {
    int room = region.getInt(at + RecordLayout.ROOM_BYTES);
    long sequence = region.getLong(at + RecordLayout.SEQUENCE);
    region.putLong(at + RecordLayout.ROOM_CHECK, life.roomCheck(at, room, sequence));
    int nameBytes = region.getShort(at + RecordLayout.NAME_BYTES);
    if (nameBytes < 0 || at + RecordLayout.NAME + nameBytes > footerAt) {
      return;
    }
    int payloadAt = at + RecordLayout.headerBytes(nameBytes);
    int payloadBytes = region.getInt(at + RecordLayout.PAYLOAD_BYTES);
    // As a CountedBlock has it.
    boolean isPlain = region.get(at + RecordLayout.FORM) == StoredForm.PLAIN;
    int blockBytes = isPlain ? payloadBytes : Math.max(0, region.getInt(payloadAt));
    region.putInt(at + RecordLayout.FORMAT, blockBytes % 10);
    if (payloadBytes > 0 && payloadBytes <= footerAt - payloadAt) {
      region.putInt(
          at + RecordLayout.PAYLOAD_CRC, RecordLayout.crc(region, payloadAt, payloadBytes));
    }
    region.putLong(
        at + RecordLayout.RECORD_CHECK,
        life.check(
            RegionEpoch.Part.RECORD,
            at,
            region,
            at + RecordLayout.SEQUENCE,
            at + RecordLayout.NAME + nameBytes));
  }

  private RegionEpoch life(int at) {
    return new RegionEpoch(secret, region.getLong(at + LIFE_AT));
  }
}
