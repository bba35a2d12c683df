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
    return new Reader(in, accesses).read();
  }

  private static final class Reader {

    private static final TraceRecorder.Kind[] KINDS = TraceRecorder.Kind.values();

    private final InputStream in;
    private final Consumer<Access> accesses;

    /** The names of the files' tables, by the files' numbers. */
    private final List<String> tables = new ArrayList<>();

    private long position;
    private long millis;
    private long reads = -1;
    private long dropped = -1;

    Reader(InputStream in, Consumer<Access> accesses) {
      this.in = in;
      this.accesses = accesses;
    }

    RecordedTrace read() throws IOException {
      ByteBuffer header = header();
      final int version = header.getInt();
      final int oneIn = header.getInt();
      final Instant start = Instant.ofEpochMilli(header.getLong());
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
      try {
        while (reads < 0) {
          readChunk();
        }
      } catch (EOFException e) {
        // The file is truncated: it has no reads.
      }
      if (reads >= 0 && in.read() >= 0) {
        throw new IOException("position=" + position + ": unexpected bytes after the end");
      }
      return new RecordedTrace(oneIn, start, millis, reads, dropped);
    }

    private ByteBuffer header() throws IOException {
      try {
        ByteBuffer header = next(TraceFormat.HEADER_BYTES);
        if (header.getLong() == TraceFormat.MAGIC) {
          return header;
        }
      } catch (EOFException e) {
        // Another file, which is shorter.
      }
      throw new IOException("position=0: not a recorded trace");
    }

    /** The next bytes, or an EOFException, as GZIPInputStream throws it. */
    private ByteBuffer next(int length) throws IOException {
      byte[] bytes = in.readNBytes(length);
      position += bytes.length;
      if (bytes.length < length) {
        throw new EOFException();
      }
      return ByteBuffer.wrap(bytes);
    }

    private void readChunk() throws IOException {
      final long chunkAt = position;
      ByteBuffer header = next(TraceFormat.CHUNK_HEADER_BYTES);
      int length = header.getInt();
      int check = header.getInt();
      if (length <= 0 || length > TraceFormat.MAX_CHUNK_BYTES) {
        throw damaged(chunkAt, "length=" + length);
      }
      ByteBuffer entries = next(length);
      millis = header.getLong();
      if (check != TraceFormat.check(chunkAt, millis, entries)) {
        throw damaged(chunkAt, "checksum mismatch");
      }
      readEntries(entries, chunkAt);
    }

    private void readEntries(ByteBuffer chunk, long chunkAt) throws IOException {
      try {
        while (chunk.hasRemaining()) {
          byte tag = chunk.get();
          switch (tag) {
            case TraceFormat.FILE -> readFile(chunk);
            case TraceFormat.END -> readEnd(chunk, chunkAt);
            default -> readAccess(tag - TraceFormat.FIRST_ACCESS, chunk);
          }
        }
      } catch (BufferUnderflowException
          | IndexOutOfBoundsException
          | NegativeArraySizeException e) {
        throw damaged(chunkAt, e.toString());
      }
    }

    private void readFile(ByteBuffer chunk) {
      byte[] table = new byte[chunk.getShort()];
      chunk.get(table);
      tables.add(new String(table, StandardCharsets.UTF_8));
    }

    private void readEnd(ByteBuffer chunk, long chunkAt) throws IOException {
      reads = chunk.getLong();
      dropped = chunk.getLong();
      if (reads < 0 || dropped < 0 || chunk.hasRemaining()) {
        throw damaged(
            chunkAt, "reads=" + reads + " dropped=" + dropped + " behind=" + chunk.remaining());
      }
    }

    private void readAccess(int kind, ByteBuffer chunk) {
      int type = Byte.toUnsignedInt(chunk.get());
      int file = chunk.getInt();
      long offset = chunk.getLong();
      int sizeBytes = Math.max(0, chunk.getInt());
      accesses.accept(
          new Access(KINDS[kind], file, tables.get(file), offset, sizeBytes, type, millis));
    }

    private static IOException damaged(long chunkAt, String what) {
      return new IOException("position=" + chunkAt + ": corrupt chunk: " + what);
    }
  }
}
