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
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.format.BlockRecord;
import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.RegionLayout;
import dev.terrace.region.memory.DirectMemory;
import java.io.IOException;
import java.nio.ByteBuffer;

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
  private final int largestBlockBytes;
  private final TierCounters counters;
  private final RateLimitedLog log;

  BlockWriter(
      BlockCodec<B> codec,
      Residents residents,
      DeviceLogs logs,
      TierCounters counters,
      RateLimitedLog log) {
    this.codec = codec;
    this.residents = residents;
    this.logs = logs;
    this.largestBlockBytes = RegionLayout.largestPayloadBytes(logs.regionBytes());
    this.counters = counters;
    this.log = log;
  }

  /**
   * Puts a block. The caller keeps its reference.
   *
   * @param mostWaitNanos longest wait for space, while the device makes progress
   */
  PutOutcome put(
      String file, long offset, B block, int sizeBytes, BlockTraits traits, long mostWaitNanos) {
    if (sizeBytes <= 0 || sizeBytes > largestBlockBytes) {
      return PutOutcome.BAD_SIZE;
    }
    byte[] name = BlockRecord.nameOf(file);
    if (!RecordLayout.isOffset(offset) || !BlockRecord.isWritable(file, name)) {
      return PutOutcome.BAD_KEY;
    }
    if (residents.index().address(file, offset) != BlockAddress.NONE) {
      return PutOutcome.ALREADY_PRESENT;
    }
    if (!residents.index().quota(file).admits(sizeBytes, logs.capacityBytes())) {
      return PutOutcome.ABOVE_MAX;
    }
    DeviceLog target = logs.writableFor(file, offset);
    if (target == null) {
      return PutOutcome.UNAVAILABLE;
    }
    int recordBytes = RecordLayout.recordBytes(name.length, sizeBytes);
    try {
      Reservation reservation = target.reserve(file, name.length, recordBytes, mostWaitNanos);
      return reservation == null
          ? PutOutcome.BUSY
          : fill(reservation, name, file, offset, block, sizeBytes, traits);
    } catch (InternalError e) {
      IOException fault = target.io().fault(e);
      target.io().health().writeFailed(fault);
      log.warn("Not cached: " + file + " @ " + offset, fault);
      return PutOutcome.UNAVAILABLE;
    }
  }

  private PutOutcome fill(
      Reservation reservation,
      byte[] name,
      String file,
      long offset,
      B block,
      int sizeBytes,
      BlockTraits traits) {
    PutOutcome outcome = PutOutcome.BAD_BLOCK;
    int format = 0;
    try {
      format = codec.format(block);
      ByteBuffer payload = reservation.payload(name.length, sizeBytes);
      codec.encode(block, payload);
      if (payload.hasRemaining()) {
        throw new IOException("encoded=" + payload.position() + " bytes, announced=" + sizeBytes);
      }
      long address = reservation.finish(name, offset, sizeBytes, format, traits);
      outcome =
          residents.add(file, reservation.recordBytes(), offset, address, traits)
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
        reservation.keep(file, offset, sizeBytes, format, traits);
      } else {
        reservation.giveUp();
      }
    }
    return outcome;
  }
}
