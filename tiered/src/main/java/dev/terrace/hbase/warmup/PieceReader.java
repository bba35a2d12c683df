// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.warmup;

import dev.terrace.hbase.warmup.HotList.Block;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileReaderImpl;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;
import org.apache.hadoop.hbase.io.hfile.ReaderContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * Reads blocks of an open store file through HBase's own reader, in batches: the reader is given a
 * piece of the file that one read of the file's stream has fetched. HBase checks, unpacks and
 * caches each block. Nothing is opened a second time. Not thread-safe.
 */
final class PieceReader {

  /** Maximum size of a piece. A larger block is read separately. */
  static final int MAX_BYTES = 1 << 20;

  /** A compressed block is assumed to be at most this much larger than the average. */
  private static final double SPREAD = 1.25;

  private static final int CHECKS_PART = 1024;
  private static final int NEXT_HEADER_BYTES = 64;

  private final PieceStream stream;
  private final HFile.Reader reader;
  private final long fileBytes;

  /** A block's size in the file, relative to its size in memory. */
  private final double packing;

  private PieceReader(HStoreFile file, HFileReaderImpl open) throws IOException {
    ReaderContext context = open.getContext();
    FSDataInputStreamWrapper source = context.getInputStreamWrapper();
    boolean hasHBaseChecks = source.shouldUseHBaseChecksum();
    this.fileBytes = context.getFileSize();
    double unpacked = Math.max(1, open.getTrailer().getTotalUncompressedBytes());
    this.packing = Math.min(1, SPREAD * fileBytes / unpacked);
    this.stream = new PieceStream(source.getStream(hasHBaseChecks));
    ReaderContext overPieces =
        new ReaderContextBuilder()
            .withFilePath(context.getFilePath())
            .withFileSize(fileBytes)
            .withFileSystem(context.getFileSystem())
            .withPrimaryReplicaReader(context.isPrimaryReplicaReader())
            .withInputStreamWrapper(new PieceWrapper(new FSDataInputStream(stream), hasHBaseChecks))
            // Reuses the open reader's metadata of the file, and does not prefetch.
            .withReaderType(ReaderType.STREAM)
            .build();
    this.reader =
        HFile.createReader(overPieces, open.getHFileInfo(), file.getCacheConf(), open.getConf());
  }

  /** A reader of a file; null if the file is not open. */
  static PieceReader of(HStoreFile file) throws IOException {
    StoreFileReader opened = file.getReader();
    return opened != null && opened.getHFileReader() instanceof HFileReaderImpl open
        ? new PieceReader(file, open)
        : null;
  }

  /**
   * Fetches a piece of the file, within {@link #MAX_BYTES} and the file's end. If it lacks part of
   * the last block, that part is read with the block.
   *
   * @param last the piece's last block
   * @param next where the next listed block begins, so that lists with wrong sizes read no more
   */
  void fetch(long from, Block last, long next) throws IOException {
    // Includes checksums, and the header of the next block, which HBase also reads.
    int bytes = last.sizeBytes();
    long estimatedStoredBytes = (long) (bytes * packing) + bytes / CHECKS_PART + NEXT_HEADER_BYTES;
    long likelyEnd = Math.min(last.offset() + estimatedStoredBytes, next + NEXT_HEADER_BYTES);
    long end = Math.min(Math.min(likelyEnd, fileBytes), from + MAX_BYTES);
    stream.fetch(from, (int) Math.max(0, end - from));
  }

  /**
   * Whether HBase loaded the block at the file's open, and never reads it again: the root index.
   */
  boolean isLoaded(long offset) {
    return offset == reader.getTrailer().getLoadOnOpenDataOffset();
  }

  /**
   * Reads a block, which HBase caches.
   *
   * @throws IOException if there is no block at this offset, or it is corrupt or cannot be read now
   */
  void read(long offset) throws IOException {
    requireBlock(offset);
    HFileBlock block = reader.readBlock(offset, -1, true, true, false, false, null, null);
    block.release();
  }

  /** Checks the header: HBase would allocate whatever size a corrupt header claims. */
  private void requireBlock(long offset) throws IOException {
    byte[] start = new byte[BlockType.MAGIC_LENGTH + 2 * Integer.BYTES];
    if (offset < 0 || offset + start.length > fileBytes) {
      throw new IOException("no block at offset=" + offset + " fileBytes=" + fileBytes);
    }
    stream.readFully(offset, start);
    var unused = BlockType.parse(start, 0, BlockType.MAGIC_LENGTH);
    ByteBuffer sizes = ByteBuffer.wrap(start, BlockType.MAGIC_LENGTH, 2 * Integer.BYTES);
    int inFile = sizes.getInt();
    int unpacked = sizes.getInt();
    if (Math.min(inFile, unpacked) < 0 || Math.max(inFile, unpacked) > HotList.MAX_BLOCK_BYTES) {
      throw new IOException(
          "corrupt header at offset=" + offset + " sizes=" + inFile + "," + unpacked);
    }
  }

  /** The number of reads of the file so far. */
  long reads() {
    return stream.reads;
  }

  /** The number of bytes read from the file so far. */
  long readBytes() {
    return stream.readBytes;
  }

  /** The stream of a file, with a piece of it in memory. */
  // Only positional reads are used.
  @SuppressWarnings("InputStreamSlowMultibyteRead")
  private static final class PieceStream extends FSInputStream {

    private final FSDataInputStream source;
    private byte[] piece = {};
    private long from;
    long reads;
    long readBytes;

    PieceStream(FSDataInputStream source) {
      this.source = source;
    }

    void fetch(long start, int bytes) throws IOException {
      byte[] next = new byte[bytes];
      source.readFully(start, next);
      reads++;
      readBytes += bytes;
      from = start;
      piece = next;
    }

    @Override
    public int read(long position, byte[] target, int offset, int most) throws IOException {
      if (position >= from && position < from + piece.length) {
        int at = (int) (position - from);
        int bytes = Math.min(most, piece.length - at);
        System.arraycopy(piece, at, target, offset, bytes);
        return bytes;
      }
      int bytes = source.read(position, target, offset, most);
      reads++;
      readBytes += Math.max(0, bytes);
      return bytes;
    }

    @Override
    public int read() throws IOException {
      throw noPosition();
    }

    @Override
    public void seek(long position) throws IOException {
      throw noPosition();
    }

    @Override
    public long getPos() throws IOException {
      throw noPosition();
    }

    @Override
    public boolean seekToNewSource(long position) throws IOException {
      throw noPosition();
    }

    private static IOException noPosition() {
      return new IOException("has no position");
    }
  }

  /** Makes HBase verify checksums as it does for the open file. */
  private static final class PieceWrapper extends FSDataInputStreamWrapper {

    private final boolean hasHBaseChecks;

    PieceWrapper(FSDataInputStream pieces, boolean hasHBaseChecks) {
      super(pieces, pieces);
      this.hasHBaseChecks = hasHBaseChecks;
    }

    @Override
    public boolean shouldUseHBaseChecksum() {
      return hasHBaseChecks;
    }

    /** Fails: HBase would reread the block, and trust the file system's checksums. */
    @Override
    public FSDataInputStream fallbackToFsChecksum(int offCount) throws IOException {
      throw new IOException("checksum mismatch, HBase will read the block itself");
    }

    @Override
    public void checksumOk() {}
  }
}
