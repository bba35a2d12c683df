// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.log;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.region.format.BlockAddress;
import dev.terrace.region.index.IndexEntry;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which blocks were dropped as damaged, and why. Each reason has its own {@link
 * RateLimitedLog.Backoff}, so that no other reason keeps it out of the log.
 *
 * <p>Any thread may call any method.
 */
public final class CorruptionLog {

  /** Why a block is dropped as damaged. */
  public enum Reason {
    WRONG_BYTES("it is corrupt"),
    UNREADABLE("its cache region had repeated read errors"),
    NOT_UNPACKED("it cannot be decrypted or decompressed"),
    NOT_DECODED("it cannot be decoded"),
    NOT_EMPTIED("reclaiming its cache region failed"),
    WRITE_FAILED("its cache region could not be written");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  private final Map<Reason, RateLimitedLog> logs = new EnumMap<>(Reason.class);

  CorruptionLog(LongSupplier nanoTime) {
    Logger logger = LoggerFactory.getLogger(CorruptionLog.class);
    for (Reason reason : Reason.values()) {
      logs.put(reason, new RateLimitedLog(logger, nanoTime));
    }
  }

  /**
   * Logs a dropped block.
   *
   * @param details more about the reason; empty for none
   * @param cause null if there is none
   */
  void dropped(IndexEntry entry, Region region, Reason reason, String details, Throwable cause) {
    logs.get(reason)
        .warn(
            "Dropped a cached block, because %s%s; reads go to HBase's file: file=%s offset=%d, %s of %s"
                .formatted(
                    reason.text,
                    details.isEmpty() ? "" : " (" + details + ")",
                    entry.file(),
                    entry.offset(),
                    BlockAddress.toString(entry.address()),
                    region),
            cause);
  }

  /**
   * Logs the lost blocks of a region that could not be written.
   *
   * @param files the file of each lost block
   */
  void lost(List<String> files, Region region, Throwable cause) {
    logs.get(Reason.WRITE_FAILED)
        .warn(
            "Dropped cached blocks, because %s; reads go to HBase's files: blocks=%d files=%d%s, %s"
                .formatted(
                    Reason.WRITE_FAILED.text,
                    files.size(),
                    Set.copyOf(files).size(),
                    files.isEmpty() ? "" : ", such as " + files.get(0),
                    region),
            cause instanceof IOException ? null : cause);
  }

  /** Logs how many lines were suppressed, once a minute is over. Call it about once a second. */
  void tick() {
    logs.forEach(
        (reason, log) -> log.flushSuppressed("Dropped a cached block, because " + reason.text));
  }
}
