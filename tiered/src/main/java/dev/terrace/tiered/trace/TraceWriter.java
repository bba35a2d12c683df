// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.trace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Writes the file of a recording, chunk by chunk. Not thread-safe. */
final class TraceWriter implements Closeable {

  private static final int END_CHUNK_BYTES = TraceFormat.CHUNK_HEADER_BYTES + TraceFormat.END_BYTES;

  private final FileChannel file;
  private long position;
  private final long maxBytes;
  private final UnaryOperator<String> tableOfFile;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final ByteBuffer chunk =
      ByteBuffer.allocate(TraceFormat.CHUNK_HEADER_BYTES + TraceFormat.MAX_CHUNK_BYTES);

  /**
   * Creates the file, which only its owner may read, and writes the header.
   *
   * @param tableOfFile the name of a file's table; null if it is unknown
   * @throws IOException if it cannot be created or written; then no file is left
   */
  TraceWriter(
      Path path, int oneIn, long startMillis, long maxBytes, UnaryOperator<String> tableOfFile)
      throws IOException {
    this.maxBytes = maxBytes;
    this.tableOfFile = tableOfFile;
    this.file =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      writeHeader(oneIn, startMillis);
    } catch (IOException e) {
      file.close();
      Files.deleteIfExists(path);
      throw new IOException("path=" + path + " cannot be written, no trace was recorded: " + e, e);
    }
    chunk.position(TraceFormat.CHUNK_HEADER_BYTES);
  }

  private void writeHeader(int oneIn, long startMillis) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(TraceFormat.HEADER_BYTES);
    header
        .putLong(TraceFormat.MAGIC)
        .putInt(TraceFormat.VERSION)
        .putInt(oneIn)
        .putLong(startMillis);
    writeAll(header.putInt(TraceFormat.check(header)).flip());
  }

  /**
   * Adds an access.
   *
   * @param millis since the start
   * @return false if the file would become too large; then nothing was added
   */
  boolean add(TraceRecorder.Recording.Seen access, long millis) throws IOException {
    Integer number = numbers.get(access.file());
    byte[] table = number == null ? table(access.file()) : null;
    int entryBytes =
        TraceFormat.ACCESS_BYTES + (table == null ? 0 : TraceFormat.FILE_BYTES + table.length);
    if (bytes() + entryBytes + TraceFormat.CHUNK_HEADER_BYTES + END_CHUNK_BYTES > maxBytes) {
      return false;
    }
    if (chunk.remaining() < entryBytes) {
      flush(millis);
    }
    if (table != null) {
      number = numbers.size();
      numbers.put(access.file(), number);
      chunk.put(TraceFormat.FILE).putShort((short) table.length).put(table);
    }
    chunk.put((byte) (TraceFormat.FIRST_ACCESS + access.kind().ordinal()));
    chunk.put((byte) access.type()).putInt(number).putLong(access.offset());
    chunk.putInt(access.sizeBytes());
    return true;
  }

  private byte[] table(String fileName) {
    String table = tableOfFile.apply(fileName);
    byte[] bytes = table == null ? new byte[0] : table.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= TraceFormat.MAX_TABLE_BYTES ? bytes : new byte[0];
  }

  /** The size of the file, including what is not flushed yet. */
  long bytes() {
    return position + chunk.position() - TraceFormat.CHUNK_HEADER_BYTES;
  }

  /** Writes the added entries as a chunk. */
  void flush(long millis) throws IOException {
    int length = chunk.position() - TraceFormat.CHUNK_HEADER_BYTES;
    if (length == 0) {
      return;
    }
    ByteBuffer entries = chunk.slice(TraceFormat.CHUNK_HEADER_BYTES, length);
    chunk.putInt(0, length).putInt(4, TraceFormat.check(position, millis, entries));
    chunk.putLong(8, millis);
    writeAll(chunk.flip());
    chunk.clear().position(TraceFormat.CHUNK_HEADER_BYTES);
  }

  /**
   * Writes the end, so that readers know that the trace is complete.
   *
   * @param reads reads of all blocks, recorded or not
   * @param dropped entries that were lost because the queue was full
   */
  void end(long reads, long dropped, long millis) throws IOException {
    flush(millis);
    chunk.put(TraceFormat.END).putLong(reads).putLong(dropped);
    flush(millis);
  }

  private void writeAll(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      position += file.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
