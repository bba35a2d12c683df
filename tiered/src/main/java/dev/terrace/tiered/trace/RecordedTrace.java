// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered.trace;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A trace that {@link TraceRecorder} wrote.
 *
 * @param oneIn how many blocks there are for each recorded one; 1 if all are recorded
 * @param start when the recording began
 * @param millis how long it took
 * @param reads reads of all blocks, recorded or not, that cache on a miss; -1 if the file is
 *     truncated
 * @param dropped entries lost because the server was faster than the disk; -1 if the file is
 *     truncated
 */
public record RecordedTrace(int oneIn, Instant start, long millis, long reads, long dropped) {

  private static final TraceRecorder.Kind[] KINDS = TraceRecorder.Kind.values();

  /**
   * One entry of a recorded trace.
   *
   * @param file the number of the block's file, from 0 in the order in which files first occur
   * @param table the name of the file's table; empty if it is unknown or was not recorded
   * @param sizeBytes the block's size in the cache; 0 if it is unknown, as at a miss
   * @param type the owner's number for the block's type, from 0 to 255
   * @param millis the time since the start, to within some 20 ms
   */
  public record Access(
      TraceRecorder.Kind kind,
      int file,
      String table,
      long offset,
      int sizeBytes,
      int type,
      long millis) {}

  /** Whether the file is complete. If not, it has all accesses up to some moment. */
  public boolean isWhole() {
    return reads >= 0;
  }

  /**
   * Reads a whole trace. A truncated file, as left by a kill, ends with its last whole chunk.
   *
   * @param in the bytes from the start of the file
   * @param accesses receives the accesses in their order
   * @throws IOException naming the position, if the file is not such a trace or is damaged
   */
  public static RecordedTrace read(InputStream in, Consumer<Access> accesses) throws IOException {
    RecordedTrace trace = header(in);
    List<String> tables = new ArrayList<>();
    long position = TraceFormat.HEADER_BYTES;
    try {
      while (!trace.isWhole()) {
        ByteBuffer header = next(in, TraceFormat.CHUNK_HEADER_BYTES);
        int length = header.getInt();
        int check = header.getInt();
        long millis = header.getLong();
        if (length <= 0 || length > TraceFormat.MAX_CHUNK_BYTES) {
          throw damaged(position, "length=" + length);
        }
        ByteBuffer entries = next(in, length);
        if (check != TraceFormat.check(position, millis, entries)) {
          throw damaged(position, "checksum mismatch");
        }
        trace = trace.after(entries, position, millis, tables, accesses);
        position += TraceFormat.CHUNK_HEADER_BYTES + length;
      }
    } catch (EOFException e) {
      // The file is truncated: it has no reads.
      return trace;
    }
    if (in.read() >= 0) {
      throw new IOException("position=" + position + ": unexpected bytes after the end");
    }
    return trace;
  }

  private static RecordedTrace header(InputStream in) throws IOException {
    ByteBuffer header;
    try {
      header = next(in, TraceFormat.HEADER_BYTES);
    } catch (EOFException e) {
      throw new IOException("position=0: not a recorded trace", e);
    }
    if (header.getLong() != TraceFormat.MAGIC) {
      throw new IOException("position=0: not a recorded trace");
    }
    int version = header.getInt();
    int oneIn = header.getInt();
    Instant start = Instant.ofEpochMilli(header.getLong());
    if (header.getInt() != TraceFormat.check(header)) {
      throw new IOException("position=0: corrupt header");
    }
    if (version != TraceFormat.VERSION) {
      throw new IOException(
          "unknown trace version=" + version + ", expected " + TraceFormat.VERSION);
    }
    if (oneIn < 1) {
      throw new IOException("position=0: invalid sampling of one block in " + oneIn);
    }
    return new RecordedTrace(oneIn, start, 0, -1, -1);
  }

  /** The next bytes, or an EOFException, as GZIPInputStream throws it. */
  private static ByteBuffer next(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return ByteBuffer.wrap(bytes);
  }

  /** What is known after the entries of a chunk, the last of which is the end. */
  private RecordedTrace after(
      ByteBuffer chunk,
      long chunkAt,
      long chunkMillis,
      List<String> tables,
      Consumer<Access> accesses)
      throws IOException {
    long allReads = reads;
    long allDropped = dropped;
    try {
      while (chunk.hasRemaining()) {
        byte tag = chunk.get();
        if (tag == TraceFormat.FILE) {
          byte[] table = new byte[chunk.getShort()];
          chunk.get(table);
          tables.add(new String(table, StandardCharsets.UTF_8));
        } else if (tag == TraceFormat.END) {
          allReads = chunk.getLong();
          allDropped = chunk.getLong();
          if (allReads < 0 || allDropped < 0 || chunk.hasRemaining()) {
            String end = "reads=" + allReads + " dropped=" + allDropped;
            throw damaged(chunkAt, end + " behind=" + chunk.remaining());
          }
        } else {
          TraceRecorder.Kind kind = KINDS[tag - TraceFormat.FIRST_ACCESS];
          int type = Byte.toUnsignedInt(chunk.get());
          int file = chunk.getInt();
          long offset = chunk.getLong();
          int sizeBytes = Math.max(0, chunk.getInt());
          accesses.accept(
              new Access(kind, file, tables.get(file), offset, sizeBytes, type, chunkMillis));
        }
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw damaged(chunkAt, e.toString());
    }
    return new RecordedTrace(oneIn, start, chunkMillis, allReads, allDropped);
  }

  private static IOException damaged(long chunkAt, String what) {
    return new IOException("position=" + chunkAt + ": corrupt chunk: " + what);
  }
}
