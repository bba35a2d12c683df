// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.read;

import dev.terrace.api.BlockMemory;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierFault;
import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RecordWalk;
import dev.terrace.region.format.RegionEpoch;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.StoredForm;
import dev.terrace.region.index.IndexEntry;
import dev.terrace.region.log.CorruptionLog;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.Region;
import dev.terrace.region.log.Residents;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.memory.ReadCopies;
import dev.terrace.region.memory.ReadCopies.ReadCopy;
import dev.terrace.region.memory.WriteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the bytes of a block that the index found, and checks that they are this block's.
 *
 * <p>From mapped regions it returns the bytes in place, and the region stays pinned until they are
 * released; while too many regions wait for their readers, it returns copies. From files it returns
 * copies in pooled direct buffers, which pin nothing: from the region's write buffer until the
 * region is on the device, then from the device.
 *
 * <p>Any thread may call any method. A block that cannot be read is a miss, and is counted.
 */
public final class BlockReader {

  /*
   * Why the bytes are the block's. The caller has an index entry, which names a region and a
   * position. Since the lookup, the region may have been reclaimed and overwritten. So the reader
   * pins a mapped region, or takes its stamp, and then asks the index whether the block is still
   * there. A reclaim removes all blocks from the index before it closes the region to readers, and
   * writes only when it is closed and has no pins. If the block is still there, the region is open
   * and has the block. A pin keeps it so; a stamp valid after the read shows that it stayed so.
   * If the region was opened anew before the pin or the stamp, the block is no longer there; or it
   * was rewritten to this very place, and is right.
   *
   * A read from a file may come too late, and return any bytes, or fail because the device has
   * shrunk or is closed. Nothing is concluded from it before the stamp is validated.
   */

  /** Purpose of a read. */
  public enum Purpose {
    /** A caller of the tier. A device admits a bounded number of these reads at a time. */
    CALLER,
    /**
     * The log's worker moves the stored bytes, and waits as long as its device takes. Always
     * verified, so that a damaged block is not rewritten.
     */
    MOVE,
    /** The log's worker offers the block to another tier. Otherwise like {@link #MOVE}. */
    DEMOTION,
    /** A caller of the tier that wants the bytes compared with their checksum. */
    VERIFICATION,
    /** A caller of the tier that wants the first bytes, which are not checked. */
    HEAD;

    boolean isForCaller() {
      return this != MOVE && this != DEMOTION;
    }

    boolean isVerified() {
      return this != CALLER && this != HEAD;
    }

    /** Whether the block is wanted as the codec encoded it, not as it is stored. */
    boolean isPlain() {
      return this == CALLER || this == DEMOTION;
    }
  }

  /**
   * The encoded bytes of one block, checked, and held until their release.
   *
   * @param payload the bytes, from 0 to the limit
   * @param form the {@link StoredForm} of the bytes
   * @param format the format that the codec named when it encoded them
   * @param payloadCrc the payload's checksum in the record
   * @param memory releases them; free it once
   */
  public record BlockBytes(
      ByteBuffer payload, int form, int format, int payloadCrc, BlockMemory memory) {

    /** Whether the bytes are in a region's memory, not in a copy. */
    boolean inPlace() {
      return memory instanceof Region;
    }

    public void release() {
      memory.free();
    }
  }

  private final Residents residents;
  private final ReadCopies copies;
  private final boolean isMapped;
  private final boolean trustsVerified;
  private final LogContext context;
  private final RateLimitedLog log;
  private final RateLimitedLog distrustLog;

  /**
   * A reader.
   *
   * @param isMapped whether the regions are mapped memory
   * @param trustsVerified whether a block's checksum is verified only at the first read
   */
  public BlockReader(
      Residents residents,
      ReadCopies copies,
      boolean isMapped,
      boolean trustsVerified,
      LogContext context) {
    this.residents = residents;
    this.copies = copies;
    this.isMapped = isMapped;
    this.trustsVerified = trustsVerified;
    this.context = context;
    this.log = context.log(BlockReader.class);
    this.distrustLog = context.log(BlockReader.class);
  }

  /**
   * Reads a block.
   *
   * @return null if it cannot be read, or is no longer at this place
   */
  public BlockBytes read(IndexEntry entry, Purpose purpose) {
    return read(entry, purpose, BlockAddress.payloadBytes(entry.address()));
  }

  private BlockBytes read(IndexEntry entry, Purpose purpose, int payloadBytes) {
    Region region = residents.region(entry.address());
    if (!region.io.health().isUsable()) {
      context.counters().fault(TierFault.UNAVAILABLE_LOOKUP);
      return null;
    }
    long stamp = region.pins.stamp();
    if (isMapped && !region.tryPin()) {
      return null;
    }
    BlockBytes bytes = null;
    try {
      if (residents.index().isCurrent(entry)) {
        BlockBytes stored = read(region, stamp, entry, purpose, payloadBytes);
        bytes = stored == null || !purpose.isPlain() ? stored : plain(entry, stored);
      }
      return bytes;
    } catch (DirectMemory.Exhausted e) {
      context.counters().fault(TierFault.NO_MEMORY);
      log.warn(
          "Lookup is a miss, no direct memory (raise HBASE_OFFHEAPSIZE): file=%s offset=%d"
              .formatted(entry.file(), entry.offset()),
          e);
      return null;
    } catch (InternalError e) {
      failed(entry, e);
      return null;
    } finally {
      if (isMapped && (bytes == null || !bytes.inPlace())) {
        region.free();
      }
    }
  }

  /** Counts a fault of a block's memory against its device. */
  void failed(IndexEntry entry, InternalError error) {
    Region region = residents.region(entry.address());
    region.io.health().readFailed(region.io.fault(error));
  }

  /**
   * Reads a block.
   *
   * @param region if it is mapped, its pin belongs to the result if that is in place, else to the
   *     caller
   * @param stamp of the region, from before the index was asked
   * @param payloadBytes all of them, or the first ones for a {@link Purpose#HEAD}
   * @return null if the block cannot be read, was damaged and dropped, or is gone
   */
  private BlockBytes read(
      Region region, long stamp, IndexEntry entry, Purpose purpose, int payloadBytes) {
    int position = BlockAddress.position(entry.address());
    boolean isTrusted = trustsVerified && entry.isVerified() && !purpose.isVerified();
    boolean asCopy = !isMapped || isHitCopied(region, purpose);
    if (isTrusted && !asCopy) {
      return payload(entry, region.io.memory(region.slot), position, payloadBytes, region);
    }
    int recordBytes = RecordLayout.headerBytes(entry.nameBytes()) + payloadBytes;
    // Mapped memory is copied, too: a fault while copying is an exception, but a fault inside a
    // checksum kills the process.
    int alignment = region.io.device().alignmentBytes();
    int start = position & -alignment;
    int inCopy = position - start;
    ReadCopy copy = copies.newCopy(RecordLayout.align(position + recordBytes, alignment) - start);
    boolean kept = false;
    try {
      boolean isBuffered = !isMapped && fill(copy, region.buffer(), start);
      if (!isBuffered && !fill(copy, region, start, purpose)) {
        return null;
      }
      BlockBytes copied = payload(entry, copy.bytes(), inCopy, payloadBytes, copy);
      boolean isChecked = !isBuffered && purpose != Purpose.HEAD;
      BlockBytes verified = isMapped || !isTrusted ? copied : null;
      String fault = isChecked ? fault(region, entry, copy.bytes(), inCopy, verified) : null;
      if (!isValid(region, stamp)) {
        return null;
      }
      if (fault != null) {
        // If a second look finds the bytes right, the device is not to blame.
        boolean stays = fault(region, entry, copy.bytes(), inCopy, copied) != null;
        String details =
            stays ? fault : "a second check passed: suspect memory or CPU, not the disk";
        return damaged(entry, CorruptionLog.Reason.WRONG_BYTES, details, null);
      }
      if (isChecked && !entry.isVerified()) {
        residents.index().setVerified(entry);
      }
      kept = asCopy;
      return asCopy
          ? copied
          : payload(entry, region.io.memory(region.slot), position, payloadBytes, region);
    } catch (IOException e) {
      return isValid(region, stamp) ? readFailed(region, entry, e) : null;
    } finally {
      if (!kept) {
        copy.free();
      }
    }
  }

  private static boolean isHitCopied(Region region, Purpose purpose) {
    return purpose == Purpose.HEAD || (purpose.isForCaller() && region.copiesHits());
  }

  /** Whether what was read is the block's: the region is pinned, or was not closed meanwhile. */
  private boolean isValid(Region region, long stamp) {
    return isMapped || region.pins.validate(stamp);
  }

  /** Copies bytes that are not on the device yet. False if there is no buffer. */
  private static boolean fill(ReadCopy copy, WriteBuffer buffer, int start) {
    if (buffer == null || !buffer.tryRetain()) {
      return false;
    }
    try {
      copy.bytes().put(0, buffer.bytes(), start, copy.bytes().capacity());
      return true;
    } finally {
      buffer.release();
    }
  }

  private boolean fill(ReadCopy copy, Region region, int start, Purpose purpose)
      throws IOException {
    boolean hasStore = purpose != Purpose.VERIFICATION;
    if (isMapped || !purpose.isForCaller()) {
      region.io.read(region.slot, start, copy.bytes());
    } else if (!region.io.readForCaller(region.pins, region.slot, start, copy, hasStore)) {
      return false;
    }
    copy.bytes().clear();
    return true;
  }

  /**
   * Counts a failed read against the region, unless the whole device fails. After some failures the
   * worker empties the region, and its blocks that cannot be read are dropped.
   */
  private BlockBytes readFailed(Region region, IndexEntry entry, IOException cause) {
    if (region.io.health().isOneErrorAlone()) {
      region.readFailed();
      if (region.isSuspect()) {
        distrustLog.warn(
            "Reclaiming a cache region after repeated read errors; unreadable blocks become misses: "
                + region,
            null);
      }
    }
    return region.isSuspect() ? damaged(entry, CorruptionLog.Reason.UNREADABLE, "", cause) : null;
  }

  /**
   * Compares a block's bytes with their checksum, for a caller of the tier. Drops and counts a
   * damaged block.
   */
  public boolean verify(IndexEntry entry) {
    BlockBytes bytes = read(entry, Purpose.VERIFICATION);
    if (bytes != null) {
      bytes.release();
    }
    return bytes != null;
  }

  /** Whether lookups trust bytes that were verified once. */
  public boolean trustsVerified() {
    return trustsVerified;
  }

  /**
   * Copies the first bytes of a block into the target's remaining space. Those of a plain block are
   * not checked; a block in another form is read as a whole.
   *
   * @return false if they cannot be read, or the block is no longer at this place
   */
  public boolean readHead(IndexEntry entry, ByteBuffer target) {
    int headBytes = Math.min(BlockAddress.payloadBytes(entry.address()), target.remaining());
    BlockBytes head = read(entry, Purpose.HEAD, headBytes);
    if (head != null && head.form() != StoredForm.PLAIN) {
      head.release();
      head = read(entry, Purpose.CALLER);
    }
    if (head == null) {
      return false;
    }
    try {
      boolean isLongEnough = head.payload().remaining() >= target.remaining();
      if (isLongEnough) {
        target.put(target.position(), head.payload(), 0, target.remaining());
        residents.region(entry.address()).io.settle();
      }
      return isLongEnough;
    } catch (InternalError e) {
      failed(entry, e);
      return false;
    } finally {
      head.release();
    }
  }

  /** Marks bytes as leaving the tier. If they are a copy, its buffer is reused only later. */
  void lend(BlockBytes bytes) {
    if (bytes.memory() instanceof ReadCopy copy) {
      copies.lend(copy);
    }
  }

  /**
   * The block as the codec encoded it: the same bytes, or decrypted and decompressed ones in a
   * buffer of their own.
   *
   * @param bytes released if they are a copy and not the result
   * @return null if the bytes are not the block's; it is dropped and counted then
   */
  private BlockBytes plain(IndexEntry entry, BlockBytes bytes) {
    if (bytes.form() == StoredForm.PLAIN) {
      return bytes;
    }
    // A fault of mapped memory inside the cipher or the decompressor would kill the process.
    BlockBytes stored = bytes.inPlace() ? copied(entry, bytes) : bytes;
    try {
      ReadCopy plain = unpack(entry, stored);
      return plain == null
          ? damaged(entry, CorruptionLog.Reason.NOT_UNPACKED, "", null)
          : new BlockBytes(
              plain.bytes().slice(), StoredForm.PLAIN, bytes.format(), bytes.payloadCrc(), plain);
    } finally {
      stored.release();
    }
  }

  private BlockBytes copied(IndexEntry entry, BlockBytes bytes) {
    ReadCopy copy =
        copies.filled(
            bytes.payload().remaining(),
            target -> {
              target.put(bytes.payload().duplicate());
              residents.region(entry.address()).io.settle();
              return true;
            });
    return new BlockBytes(copy.bytes(), bytes.form(), bytes.format(), bytes.payloadCrc(), copy);
  }

  /** The block, decrypted and decompressed; null if the bytes are not this block's. */
  private ReadCopy unpack(IndexEntry entry, BlockBytes bytes) {
    ByteBuffer stored = bytes.payload();
    int compression = StoredForm.compression(bytes.form());
    if (!StoredForm.isEncrypted(bytes.form())) {
      // A flipped bit would unpack to many wrong bytes, so bytes at rest are not trusted here.
      boolean isRight = !trustsVerified || hasRightCrc(bytes);
      return isRight ? decompress(entry, compression, stored) : null;
    }
    ReadCopy opened = decrypt(entry, bytes, stored);
    if (opened == null || compression == StoredForm.PLAIN) {
      return opened;
    }
    try {
      return decompress(entry, compression, opened.bytes());
    } finally {
      opened.free();
    }
  }

  private static boolean hasRightCrc(BlockBytes copied) {
    return RecordLayout.crc(copied.payload()) == copied.payloadCrc();
  }

  private ReadCopy decrypt(IndexEntry entry, BlockBytes bytes, ByteBuffer sealed) {
    BlockCipher cipher = residents.region(entry.address()).io.device().cipher();
    int plainBytes = cipher == null ? 0 : StoredForm.plainBytes(bytes.form(), sealed);
    BlockCipher.Identity identity =
        new BlockCipher.Identity(
            entry.file().name(),
            entry.offset(),
            bytes.form(),
            bytes.format(),
            entry.traits().type());
    return plainBytes == 0
        ? null
        : copies.filled(plainBytes, plain -> cipher.open(identity, sealed, plain));
  }

  private ReadCopy decompress(IndexEntry entry, int compression, ByteBuffer compressed) {
    int regionBytes = residents.region(entry.address()).io.device().regionBytes();
    int plainBytes =
        StoredForm.compressedPlainBytes(compressed, RegionLayout.largestPayloadBytes(regionBytes));
    ByteBuffer body = plainBytes == 0 ? compressed : StoredForm.compressedBody(compressed);
    return plainBytes == 0
        ? null
        : copies.filled(plainBytes, plain -> Compression.decompress(compression, body, plain));
  }

  /** The payload of the record at {@code position}. */
  private static BlockBytes payload(
      IndexEntry entry, ByteBuffer record, int position, int payloadBytes, BlockMemory memory) {
    int headerBytes = RecordLayout.headerBytes(entry.nameBytes());
    return new BlockBytes(
        record.slice(position + headerBytes, payloadBytes),
        record.get(position + RecordLayout.FORM),
        record.getInt(position + RecordLayout.FORMAT),
        record.getInt(position + RecordLayout.PAYLOAD_CRC),
        memory);
  }

  /**
   * Drops, counts and logs a damaged block; returns null.
   *
   * @param details more about the reason; empty for none
   * @param cause null if there is none
   */
  BlockBytes damaged(
      IndexEntry entry, CorruptionLog.Reason reason, String details, Throwable cause) {
    if (residents.dropDamaged(entry, reason, details, cause)) {
      residents.region(entry.address()).io.health().damaged(TierFault.CORRUPT_BLOCK);
    }
    return null;
  }

  /**
   * What is wrong with the bytes at {@code position}, if they are not the entry's record in the
   * region's present life; else null.
   *
   * @param verified the record's payload, to be verified, too; null for none
   */
  private static String fault(
      Region region, IndexEntry entry, ByteBuffer bytes, int position, BlockBytes verified) {
    int magic = bytes.getInt(position);
    if (magic != RecordLayout.MAGIC) {
      return "no record there: first bytes 0x%08x".formatted(Integer.reverseBytes(magic));
    }
    RegionEpoch life = region.life();
    int inRegion = BlockAddress.position(entry.address());
    if (!BlockRecord.isIntact(bytes, position, life, inRegion)) {
      return "corrupt header, or the record of an earlier block";
    }
    int payloadBytes = BlockAddress.payloadBytes(entry.address());
    if (!BlockRecord.isOf(bytes, position, entry.file().name(), entry.offset(), payloadBytes)) {
      BlockRecord record = BlockRecord.read(bytes, position, life, inRegion);
      return "record of another block: file=%s offset=%d payloadBytes=%d"
          .formatted(record.file(), record.offset(), record.payloadBytes());
    }
    long sequence = RecordWalk.sequence(bytes, position);
    if (!region.owns(sequence)) {
      return "sequence=%d is outside %d to %d"
          .formatted(sequence, region.firstSequence(), region.lastSequence());
    }
    return verified == null || hasRightCrc(verified) ? null : "checksum mismatch";
  }
}
