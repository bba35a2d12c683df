// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

import dev.terrace.tiered.trace.RecordedTrace;
import dev.terrace.tools.TraceInput;
import dev.terrace.tools.trace.RecordedReads;
import dev.terrace.tools.trace.Trace;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.tukaani.xz.XZIOException;
import org.tukaani.xz.XZInputStream;

/**
 * Reads traces. One that a server recorded is told by its first bytes. What another file is follows
 * from its name: {@code .xz} holds the keys as 32-bit little-endian numbers; all others are text,
 * with a key or with time, key and size in bytes on each line. Lines that are empty or start with
 * {@code *} or {@code #} are skipped. Recorded traces and text are compressed if the name ends in
 * {@code .gz}.
 */
final class TraceReader {

  private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");

  private final int blockBytes;
  private final String table;

  /**
   * @param blockBytes the size of blocks in traces that do not tell it
   */
  TraceReader(int blockBytes) {
    this(blockBytes, null);
  }

  /**
   * @param blockBytes the size of blocks in traces that do not tell it
   * @param table the only table whose blocks count, of a trace that was recorded with tables; null
   *     for all
   */
  TraceReader(int blockBytes, String table) {
    this.blockBytes = blockBytes;
    this.table = table;
  }

  /** Reads the trace that a command was given. */
  static Trace read(TraceInput input) throws IOException {
    return input.read((file, blockBytes, table) -> new TraceReader(blockBytes, table).read(file));
  }

  /**
   * Reads a whole trace.
   *
   * @throws IOException naming the file, and the place in it, if it is not a trace
   */
  Trace read(Path file) throws IOException {
    Trace.Builder trace = new Trace.Builder();
    String name = file.toString();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      if (name.endsWith(".xz")) {
        readNumbers(file, new BufferedInputStream(new XZInputStream(in), 1 << 16), trace);
      } else if (name.endsWith(".gz")) {
        readRecordedOrLines(file, new BufferedInputStream(new GZIPInputStream(in, 1 << 16)), trace);
      } else {
        readRecordedOrLines(file, in, trace);
      }
    } catch (NoSuchFileException e) {
      throw new IOException("no such file: " + file, e);
    } catch (XZIOException | ZipException | EOFException e) {
      throw new IOException(file + " is damaged, or not what its name says: " + e, e);
    }
    if (trace.isEmpty()) {
      throw new IOException(file + " holds no accesses" + (table == null ? "" : " to " + table));
    }
    return trace.build();
  }

  private void readRecordedOrLines(Path file, InputStream in, Trace.Builder trace)
      throws IOException {
    in.mark(Long.BYTES);
    boolean isRecorded = RecordedTrace.isMagic(in.readNBytes(Long.BYTES));
    in.reset();
    if (isRecorded) {
      try {
        new RecordedReads(blockBytes, table).read(in, trace);
      } catch (IOException e) {
        throw new IOException(file + ": " + e.getMessage(), e);
      }
    } else {
      readLines(file, in, trace);
    }
  }

  private void readNumbers(Path file, InputStream in, Trace.Builder trace) throws IOException {
    byte[] number = new byte[Integer.BYTES];
    int read;
    while ((read = in.readNBytes(number, 0, number.length)) == number.length) {
      int key = ByteBuffer.wrap(number).order(ByteOrder.LITTLE_ENDIAN).getInt();
      trace.add(key, blockBytes);
    }
    if (read > 0) {
      throw new IOException(
          file + " ends within a number: its length must be a multiple of " + Integer.BYTES);
    }
  }

  private void readLines(Path file, InputStream in, Trace.Builder trace) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1), 1 << 16);
    int number = 0;
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      number++;
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("*") || text.startsWith("#")) {
        continue;
      }
      try {
        addLine(text, trace);
      } catch (IllegalArgumentException e) {
        throw new IOException(
            file
                + ", line "
                + number
                + ": '"
                + shortened(text)
                + "' must be a key, or time, key and size in bytes",
            e);
      }
    }
  }

  private void addLine(String text, Trace.Builder trace) {
    String[] words = SEPARATOR.split(text, -1);
    if (words.length == 1) {
      trace.add(Long.parseLong(words[0]), blockBytes);
    } else if (words.length == 3) {
      int sizeBytes = Integer.parseInt(words[2]);
      if (sizeBytes < 1) {
        throw new IllegalArgumentException("size=" + sizeBytes);
      }
      trace.add(Long.parseLong(words[1]), sizeBytes);
    } else {
      throw new IllegalArgumentException("words=" + words.length);
    }
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
  }
}
