// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.slow;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * {@code terrace-slow:///folder}: the local file {@code /folder}, with the latencies of a slow
 * store. {@link SlowProfile#forHBase} sets them. The bytes are those of the local file system.
 * Thread-safe.
 */
public final class SlowFileSystem extends RawLocalFileSystem {

  private static final URI ADDRESS = URI.create(SlowProfile.SCHEME + ":///");

  private SlowStore store;

  /** Called by Hadoop, which then initializes it. */
  public SlowFileSystem() {}

  SlowFileSystem(SlowStore store) {
    this.store = store;
  }

  @Override
  public void initialize(URI uri, Configuration configuration) throws IOException {
    if (store == null) {
      store =
          SlowStore.of(
              SlowProfile.named(configuration.get(SlowProfile.SETTING)),
              java.nio.file.Path.of(configuration.get(SlowProfile.WARM_UP_FILE)));
    }
    super.initialize(uri, configuration);
  }

  @Override
  public URI getUri() {
    return ADDRESS;
  }

  @Override
  public String getScheme() {
    return SlowProfile.SCHEME;
  }

  @Override
  public FSDataInputStream open(Path file, int bufferBytes) throws IOException {
    store.metadataRequest();
    return new FSDataInputStream(new SlowInputStream(super.open(file, bufferBytes), store));
  }

  /** All ways to create a file or to append to one end here. */
  @Override
  protected OutputStream createOutputStreamWithMode(
      Path file, boolean append, FsPermission permission) throws IOException {
    return new SlowOutputStream(super.createOutputStreamWithMode(file, append, permission), store);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    store.metadataRequest();
    return super.rename(from, to);
  }

  @Override
  public boolean delete(Path file, boolean recursive) throws IOException {
    store.metadataRequest();
    return super.delete(file, recursive);
  }

  @Override
  public FileStatus[] listStatus(Path directory) throws IOException {
    store.metadataRequest();
    FileStatus[] found = super.listStatus(directory);
    for (int i = 0; i < found.length; i++) {
      found[i] = plain(found[i]);
    }
    return found;
  }

  @Override
  public boolean mkdirs(Path directory) throws IOException {
    store.metadataRequest();
    return super.mkdirs(directory);
  }

  @Override
  public FileStatus getFileStatus(Path file) throws IOException {
    store.metadataRequest();
    return plain(super.getFileStatus(file));
  }

  /**
   * Replaces owner and permission by defaults. The local file system looks them up lazily, and only
   * for addresses of its own scheme.
   */
  private static FileStatus plain(FileStatus status) {
    String owner = System.getProperty("user.name");
    return new FileStatus(
        status.getLen(),
        status.isDirectory(),
        status.getReplication(),
        status.getBlockSize(),
        status.getModificationTime(),
        status.getAccessTime(),
        status.isDirectory() ? FsPermission.getDirDefault() : FsPermission.getFileDefault(),
        owner,
        owner,
        status.getPath());
  }

  /** A file being written: one request, whose bytes move as fast as the store takes them. */
  private static final class SlowOutputStream extends FilterOutputStream {

    private final SlowStore.Stream stream;

    SlowOutputStream(OutputStream file, SlowStore store) {
      super(file);
      this.stream = store.new Stream();
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      stream.transfer(length);
    }

    @Override
    public void flush() throws IOException {
      stream.finish();
      out.flush();
    }
  }

  /**
   * A file read from a slow store. Each positional read is a request. A read of the stream is a new
   * request unless it continues where the last one ended. A small gap is read through instead.
   *
   * <p>Several threads may use positional reads, as Hadoop demands. Only one may use the stream.
   */
  static final class SlowInputStream extends FSInputStream {

    /** The largest gap that is cheaper to read through than to skip with a new request. */
    private static final long SKIP_BYTES = 64 * 1024;

    private final FSDataInputStream file;
    private final SlowStore store;
    private final SlowStore.Stream stream;
    private long requestedTo = -1;

    SlowInputStream(FSDataInputStream file, SlowStore store) {
      this.file = file;
      this.store = store;
      this.stream = store.new Stream();
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) throws IOException {
      int read = file.read(position, buffer, offset, length);
      if (read > 0) {
        store.countRead(read);
        SlowStore.Stream request = store.new Stream();
        request.transfer(read);
        request.finish();
      }
      return read;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      long position = file.getPos();
      int read = file.read(buffer, offset, length);
      if (read > 0) {
        store.countRead(read);
        long skipped = position - requestedTo;
        boolean goesOn = requestedTo >= 0 && skipped >= 0 && skipped <= SKIP_BYTES;
        stream.transfer(goesOn ? skipped + read : read, goesOn);
        requestedTo = position + read;
      }
      return read;
    }

    @Override
    public void seek(long position) throws IOException {
      file.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return file.getPos();
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  public interface SlowStoreMXBean {

    String QUERY = "dev.terrace.bench:type=SlowStore";

    long getReadBytes();

    /** Returns the reads for which HBase's handler threads have waited, since the start. */
    long getReadsOfClients();
  }
}
