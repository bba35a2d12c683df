// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.replay;

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
 * Reads traces. A trace recorded by a server is recognized by its first bytes. The format of any
 * other file follows from its name: {@code .xz} holds the keys as 32-bit little-endian numbers; all
 * others are text, with a key or with time, key and size in bytes on each line. Empty lines and
 * those that start with {@code *} or {@code #} are skipped. Recorded traces and text are compressed
 * if the name ends in {@code .gz}.
 */
final class TraceReader {

  /** Begins a recorded trace. */
  private static final String RECORDED = "TERRTRAC";

  private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");

  private final Path file;
  private final int blockBytes;
  private final Trace.Builder trace = new Trace.Builder();

  private TraceReader(Path file, int blockBytes) {
    this.file = file;
    this.blockBytes = blockBytes;
  }

  /**
   * Reads a whole trace.
   *
   * @param blockBytes the size of blocks in traces that do not contain it
   * @param table the only table whose blocks count, in a trace that was recorded with tables; null
   *     for all
   * @throws IOException naming the file, and the place in it, if it is not a trace
   */
  static Trace read(Path file, int blockBytes, String table) throws IOException {
    TraceReader reader = new TraceReader(file, blockBytes);
    String name = file.toString();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      if (name.endsWith(".xz")) {
        reader.readNumbers(new BufferedInputStream(new XZInputStream(in), 1 << 16));
      } else if (name.endsWith(".gz")) {
        reader.readRecordedOrLines(
            new BufferedInputStream(new GZIPInputStream(in, 1 << 16)), table);
      } else {
        reader.readRecordedOrLines(in, table);
      }
    } catch (NoSuchFileException e) {
      throw new IOException("no such file: " + file, e);
    } catch (XZIOException | ZipException | EOFException e) {
      throw new IOException(file + " is damaged, or not what its name says: " + e, e);
    }
    if (reader.trace.isEmpty()) {
      throw new IOException(file + " has no accesses" + (table == null ? "" : " to " + table));
    }
    return reader.trace.build();
  }

  private void readRecordedOrLines(InputStream in, String table) throws IOException {
    in.mark(Long.BYTES);
    boolean isRecorded =
        new String(in.readNBytes(Long.BYTES), StandardCharsets.ISO_8859_1).equals(RECORDED);
    in.reset();
    if (!isRecorded) {
      readLines(in);
      return;
    }
    try {
      new RecordedReads(blockBytes, table).read(in, trace);
    } catch (IOException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private void readNumbers(InputStream in) throws IOException {
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

  private void readLines(InputStream in) throws IOException {
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
        addLine(text);
      } catch (IllegalArgumentException e) {
        String shown = text.length() <= 60 ? text : text.substring(0, 60) + "...";
        String place = file + ", line " + number + ": '" + shown;
        throw new IOException(place + "' must be a key, or time, key and size in bytes", e);
      }
    }
  }

  private void addLine(String text) {
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
}
