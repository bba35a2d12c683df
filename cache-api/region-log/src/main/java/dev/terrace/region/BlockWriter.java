// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.CacheFile;
import dev.terrace.api.EvictionCause;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierFault;
import dev.terrace.region.cipher.BlockCipher.Identity;
import dev.terrace.region.compression.BlockCompressor;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.RegionTable;
import dev.terrace.region.format.StoredForm;
import dev.terrace.region.log.DeviceLog;
import dev.terrace.region.log.LogContext;
import dev.terrace.region.log.RegionWriter.Reservation;
import dev.terrace.region.log.Residents;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.memory.ReadCopies;
import dev.terrace.region.memory.ReadCopies.ReadCopy;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Puts a block: chooses a device, reserves space in its open region, writes the record there, and
 * adds the block to the index.
 *
 * <p>Any thread may call any method. None does I/O. A put waits only if it is given a waiting time.
 *
 * @param <B> the object that readers use
 */
final class BlockWriter<B> {

  /* The code of a put is too long for C2 to inline into callers; BlockLookup has the reason. */

  private final BlockCodec<B> codec;
  private final Residents residents;
  private final DeviceLogs logs;
  private final BlockCompressor compressor;
  private final ReadCopies copies;
  private final LogContext context;
  private final int largestBlockBytes;
  private final RateLimitedLog log;

  BlockWriter(
      BlockCodec<B> codec,
      Residents residents,
      DeviceLogs logs,
      BlockCompressor compressor,
      ReadCopies copies,
      LogContext context) {
    this.codec = codec;
    this.residents = residents;
    this.logs = logs;
    this.compressor = compressor;
    this.copies = copies;
    this.context = context;
    this.largestBlockBytes = RegionLayout.largestPayloadBytes(logs.regionBytes());
    this.log = context.log(BlockWriter.class);
  }

  private int form(CacheFile file) {
    return context.encryptsAll() || file.isEncrypted() ? StoredForm.ENCRYPTED : StoredForm.PLAIN;
  }

  /**
   * Why the tier refuses a block that it does not hold, before a device or a quota is asked; null
   * if it does not refuse it. The block counts as one that does not compress.
   */
  PutOutcome refusal(CacheFile file, long offset, int sizeBytes) {
    if (context.isClosed() || logs.isEmpty()) {
      return PutOutcome.CLOSED;
    }
    int form = form(file);
    if (StoredForm.isEncrypted(form) && !logs.encrypts()) {
      return PutOutcome.ENCRYPTED;
    }
    if (context.expiring().test(file, offset)) {
      return PutOutcome.EXPIRING;
    }
    int maxBytes = StoredForm.storedBytes(form, sizeBytes);
    return sizeBytes <= 0 || maxBytes > largestBlockBytes ? PutOutcome.BAD_SIZE : null;
  }

  private record Put<B>(
      DeviceLog target,
      CacheFile file,
      long offset,
      B block,
      int sizeBytes,
      BlockTraits traits,
      long maxWaitNanos) {}

  /**
   * Puts a block, and counts it. The caller keeps its reference.
   *
   * @param maxWaitNanos longest wait for space, while the device makes progress
   */
  PutOutcome put(CacheFile file, long offset, B block, BlockTraits traits, long maxWaitNanos) {
    return context.counters().put(file, tryPut(file, offset, block, traits, maxWaitNanos));
  }

  private PutOutcome tryPut(
      CacheFile file, long offset, B block, BlockTraits traits, long maxWaitNanos) {
    if (residents.index().address(file, offset) != BlockAddress.NONE) {
      return PutOutcome.ALREADY_PRESENT;
    }
    int sizeBytes = codec.sizeBytes(block);
    PutOutcome refusal = refusal(file, offset, sizeBytes);
    if (refusal != null) {
      return refusal;
    }
    byte[] name = BlockRecord.nameOf(file.name());
    if (!RecordLayout.isOffset(offset) || !BlockRecord.isWritable(file.name(), name)) {
      return PutOutcome.BAD_KEY;
    }
    DeviceLog target = logs.writableFor(file, offset);
    if (target == null) {
      return PutOutcome.UNAVAILABLE;
    }
    int form = form(file);
    if (StoredForm.isEncrypted(form) && !DeviceLogs.encrypts(target)) {
      return PutOutcome.ENCRYPTED;
    }
    PutOutcome full = residents.limits().makeRoom(file, StoredForm.storedBytes(form, sizeBytes), 0);
    if (full != null) {
      return full;
    }
    Put<B> put = new Put<>(target, file, offset, block, sizeBytes, traits, maxWaitNanos);
    boolean compresses = compressor.isWorthTrying(file.name(), sizeBytes);
    try (ReadCopy plain =
            compresses || StoredForm.isEncrypted(form) ? plainCopy(block, sizeBytes) : null;
        ReadCopy compressed = compresses ? compressor.compress(file.name(), plain.bytes()) : null) {
      return compressed == null
          ? put(put, name, form, plain == null ? null : plain.bytes())
          : put(put, name, form | compressor.form(), compressed.bytes());
    } catch (InternalError e) {
      target.io().writeFailed(target.io().fault(e));
      return PutOutcome.UNAVAILABLE;
    } catch (DirectMemory.Exhausted e) {
      context.counters().fault(TierFault.NO_MEMORY);
      warn(put, "no direct memory: raise HBASE_OFFHEAPSIZE or make a tier smaller", e);
      return PutOutcome.BUSY;
    } catch (IOException | RuntimeException e) {
      warn(put, "its encoding failed", e);
      return PutOutcome.BAD_BLOCK;
    }
  }

  private ReadCopy plainCopy(B block, int sizeBytes) throws IOException {
    return copies.filled(
        sizeBytes,
        bytes -> {
          codec.fill(block, bytes.slice());
          return true;
        });
  }

  private void warn(Put<B> put, String why, Exception e) {
    log.warn(
        "Block not cached on %s (%s): file=%s offset=%d bytes=%d"
            .formatted(put.target.io().device().path(), why, put.file, put.offset, put.sizeBytes),
        e);
  }

  /**
   * Reserves space for a block and writes it there.
   *
   * @param bytes the bytes to store or encrypt; null for a plain block that is not encoded yet
   */
  private PutOutcome put(Put<B> put, byte[] name, int form, ByteBuffer bytes) throws IOException {
    int storedBytes =
        StoredForm.storedBytes(form, bytes == null ? put.sizeBytes : bytes.remaining());
    Reservation reservation =
        put.target.reserve(put.file.name(), name.length, storedBytes, put.maxWaitNanos);
    if (reservation == null) {
      return PutOutcome.BUSY;
    }
    PutOutcome outcome = PutOutcome.BAD_BLOCK;
    RegionTable.Entry entry = null;
    try {
      int format = codec.format(put.block);
      if (StoredForm.isEncrypted(form)) {
        int type = put.traits.type();
        encrypt(bytes, new Identity(put.file.name(), put.offset, form, format, type), reservation);
      } else if (bytes == null) {
        codec.fill(put.block, reservation.payload());
      } else {
        reservation.payload().put(bytes.duplicate());
      }
      entry =
          reservation.finish(name, put.offset, reservation.payloadCrc(), format, form, put.traits);
      outcome =
          residents.add(put.file, entry, reservation.address(), reservation.recordBytes())
              ? PutOutcome.STORED
              : PutOutcome.ALREADY_PRESENT;
    } finally {
      if (outcome == PutOutcome.STORED) {
        context.counters().stored(put.sizeBytes, storedBytes);
        reservation.keep(entry, put.sizeBytes);
      } else {
        reservation.giveUp();
      }
    }
    if (outcome == PutOutcome.STORED && (put.target.isClosing() || context.isClosed())) {
      // A leaving device or closing tier may have dropped its blocks before this one was added.
      EvictionCause cause = context.isClosed() ? EvictionCause.CLOSE : EvictionCause.RESIZE;
      residents.evict(put.file, put.offset, put.offset, cause);
    }
    return outcome;
  }

  /** Encrypts in a buffer of its own: neither plaintext nor cipher touches the region's memory. */
  private void encrypt(ByteBuffer bytes, Identity identity, Reservation reservation) {
    ByteBuffer payload = reservation.payload();
    try (ReadCopy sealed = copies.newCopy(payload.remaining())) {
      reservation.cipher().seal(identity, bytes, sealed.bytes(), reservation.sequence());
      payload.put(sealed.bytes().rewind());
    }
  }
}
