// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.trace;

import dev.terrace.tiered.trace.RecordedTrace;
import dev.terrace.tiered.trace.TraceRecorder;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * Turns a server's recording into a trace to replay: its reads, except those that leave the cache
 * as it is. A read that missed has no size; the size in the block's other accesses counts.
 */
public final class RecordedReads {

  /** The numbers of blocks, by file and offset. */
  private final Map<Integer, Map<Long, Integer>> numbers = new HashMap<>();

  private int blocks;
  private final IntStream.Builder reads = IntStream.builder();
  private final int sizeElse;
  private final String table;
  private int[] sizesBytes = new int[1024];

  /**
   * Reads one recording.
   *
   * @param sizeElse the size of blocks if it has none
   * @param table the only one that counts; null for all
   */
  public RecordedReads(int sizeElse, String table) {
    this.sizeElse = sizeElse;
    this.table = table;
  }

  /**
   * Reads a whole file.
   *
   * @param file compressed if its name ends in {@code .gz}
   * @throws IOException naming the file and the position in it, if it is not a recording
   */
  public Trace read(Path file) throws IOException {
    Trace.Builder trace = new Trace.Builder();
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      read(new BufferedInputStream(in, 1 << 16), trace);
    } catch (NoSuchFileException e) {
      throw new IOException("no such file: " + file, e);
    } catch (IOException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    if (trace.isEmpty()) {
      throw new IOException(file + " has no accesses" + (table == null ? "" : " to " + table));
    }
    return trace.build();
  }

  /**
   * Adds the reads of a recording to a trace.
   *
   * @throws IOException naming the position in the file, if it is not a recording
   */
  public void read(InputStream in, Trace.Builder trace) throws IOException {
    RecordedTrace recorded = RecordedTrace.read(in, this::add);
    int meanBytes =
        (int) Arrays.stream(sizesBytes).filter(size -> size > 0).average().orElse(sizeElse);
    reads
        .build()
        .forEach(block -> trace.add(block, sizesBytes[block] > 0 ? sizesBytes[block] : meanBytes));
    // The number of reads of a single table is not known.
    long allReads = table == null ? recorded.reads() : -1;
    trace.recorded(recorded.oneIn(), allReads, origin(recorded));
  }

  private void add(RecordedTrace.Access access) {
    if (table != null && !table.equals(access.table())) {
      return;
    }
    int block =
        numbers
            .computeIfAbsent(access.file(), file -> new HashMap<>())
            .computeIfAbsent(access.offset(), offset -> blocks++);
    if (block == sizesBytes.length) {
      sizesBytes = Arrays.copyOf(sizesBytes, 2 * block);
    }
    if (access.sizeBytes() > 0) {
      sizesBytes[block] = access.sizeBytes();
    }
    if (access.kind() == TraceRecorder.Kind.READ) {
      reads.add(block);
    }
  }

  private static String origin(RecordedTrace recorded) {
    String begin =
        String.format(
            Locale.ROOT,
            "Recorded from %s for %,.1f s: 1 block in %d, ",
            recorded.start(),
            recorded.millis() / 1000.0,
            recorded.oneIn());
    String whole =
        recorded.oneIn() == 1
            ? ""
            : " Tiers are scaled down by the same factor; counts are of the sample.";
    return begin
        + (recorded.isWhole()
            ? String.format(Locale.ROOT, "%,d accesses dropped.", recorded.dropped())
            : "the file is truncated.")
        + whole;
  }
}
