/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.region;

import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.RateLimitedLog;
import dev.terrace.api.TierCounters;
import dev.terrace.api.Trouble;
import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.format.StoredForm;
import dev.terrace.region.memory.DirectMemory;
import dev.terrace.region.memory.ReadCopy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * Puts a block: chooses a device, reserves space in its open region, writes the record there, and
 * adds the block to the index.
 *
 * <p>Any thread may call any method. None does I/O. A put waits for I/O only with a waiting time.
 *
 * @param <B> the object that readers use
 */
final class BlockWriter<B> {

  private final BlockCodec<B> codec;
  private final Residents residents;
  private final DeviceLogs logs;
  private final Predicate<String> encrypted;
  private final IntFunction<ReadCopy> scratch;
  private final int largestBlockBytes;
  private final TierCounters counters;
  private final RateLimitedLog log;

  /**
   * The puts of a tier.
   *
   * @param encrypted whether a file's blocks are encrypted
   * @param scratch counted buffers of a size
   */
  BlockWriter(
      BlockCodec<B> codec,
      Residents residents,
      DeviceLogs logs,
      Predicate<String> encrypted,
      IntFunction<ReadCopy> scratch,
      TierCounters counters,
      RateLimitedLog log) {
    this.codec = codec;
    this.residents = residents;
    this.logs = logs;
    this.encrypted = encrypted;
    this.scratch = scratch;
    this.largestBlockBytes = RegionLayout.largestPayloadBytes(logs.regionBytes());
    this.counters = counters;
    this.log = log;
  }

  /** The bytes that a block takes in its record. */
  int storedBytes(String file, int sizeBytes) {
    return StoredForm.storedBytes(form(file), sizeBytes);
  }

  private int form(String file) {
    return encrypted.test(file) ? StoredForm.ENCRYPTED : StoredForm.PLAIN;
  }

  /** Whether the share of the file's table leaves room for a block. */
  boolean admits(String file, int sizeBytes) {
    return residents.index().quota(file).admits(storedBytes(file, sizeBytes), logs.capacityBytes());
  }

  /**
   * Puts a block. The caller keeps its reference.
   *
   * @param mostWaitNanos longest wait for space, while the device makes progress
   */
  PutOutcome put(
      String file, long offset, B block, int sizeBytes, BlockTraits traits, long mostWaitNanos) {
    int form = form(file);
    int storedBytes = StoredForm.storedBytes(form, sizeBytes);
    if (sizeBytes <= 0 || storedBytes > largestBlockBytes) {
      return PutOutcome.BAD_SIZE;
    }
    byte[] name = BlockRecord.nameOf(file);
    if (!RecordLayout.isOffset(offset) || !BlockRecord.isWritable(file, name)) {
      return PutOutcome.BAD_KEY;
    }
    if (residents.index().address(file, offset) != BlockAddress.NONE) {
      return PutOutcome.ALREADY_PRESENT;
    }
    if (!admits(file, sizeBytes)) {
      return PutOutcome.ABOVE_MAX;
    }
    DeviceLog target = logs.writableFor(file, offset);
    if (target == null) {
      return PutOutcome.UNAVAILABLE;
    }
    if (form == StoredForm.ENCRYPTED && target.io().device().cipher() == null) {
      return PutOutcome.ENCRYPTED;
    }
    Stored stored = new Stored(file, offset, storedBytes, form, traits);
    int recordBytes = RecordLayout.recordBytes(name.length, storedBytes);
    try {
      Reservation reservation = target.reserve(file, name.length, recordBytes, mostWaitNanos);
      return reservation == null
          ? PutOutcome.BUSY
          : fill(reservation, name, stored, block, sizeBytes);
    } catch (InternalError e) {
      IOException fault = target.io().fault(e);
      target.io().health().writeFailed(fault);
      log.warn("Not cached: " + file + " @ " + offset, fault);
      return PutOutcome.UNAVAILABLE;
    }
  }

  /** A block as its record stores it. */
  private record Stored(String file, long offset, int storedBytes, int form, BlockTraits traits) {}

  private PutOutcome fill(
      Reservation reservation, byte[] name, Stored stored, B block, int sizeBytes) {
    String file = stored.file;
    long offset = stored.offset;
    PutOutcome outcome = PutOutcome.BAD_BLOCK;
    int format = 0;
    try {
      format = codec.format(block);
      ByteBuffer payload = reservation.payload(name.length, stored.storedBytes);
      if (stored.form == StoredForm.PLAIN) {
        encode(block, payload, sizeBytes);
      } else {
        encrypt(reservation, stored, block, sizeBytes, format, payload);
      }
      long address =
          reservation.finish(name, offset, stored.storedBytes, format, stored.form, stored.traits);
      outcome =
          residents.add(file, reservation.recordBytes(), offset, address, stored.traits)
              ? PutOutcome.STORED
              : PutOutcome.ALREADY_PRESENT;
    } catch (DirectMemory.Exhausted e) {
      outcome = PutOutcome.BUSY;
      counters.trouble(Trouble.NO_MEMORY);
      log.warn("Not cached: " + file + " @ " + offset, e);
    } catch (IOException | RuntimeException e) {
      log.warn("Not cached: " + file + " @ " + offset, e);
    } finally {
      if (outcome == PutOutcome.STORED) {
        reservation.keep(file, offset, stored.storedBytes, format, stored.traits);
      } else {
        reservation.giveUp();
      }
    }
    return outcome;
  }

  private void encode(B block, ByteBuffer target, int sizeBytes) throws IOException {
    codec.encode(block, target);
    if (target.hasRemaining()) {
      throw new IOException("encoded=" + target.position() + " bytes, announced=" + sizeBytes);
    }
  }

  /** Encrypts beside the region: no plain byte, and no access by the cipher, touches its memory. */
  private void encrypt(
      Reservation reservation,
      Stored stored,
      B block,
      int sizeBytes,
      int format,
      ByteBuffer payload)
      throws IOException {
    ReadCopy plain = scratch.apply(sizeBytes);
    try {
      encode(block, plain.bytes().slice(), sizeBytes);
      ReadCopy sealed = scratch.apply(stored.storedBytes);
      try {
        BlockCipher.Identity identity =
            new BlockCipher.Identity(stored.file, stored.offset, format, stored.traits.type());
        reservation.cipher().seal(identity, plain.bytes(), sealed.bytes(), reservation.sequence());
        payload.put(sealed.bytes().flip());
      } finally {
        sealed.free();
      }
    } finally {
      plain.free();
    }
  }
}
