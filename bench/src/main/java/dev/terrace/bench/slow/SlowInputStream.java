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
package dev.terrace.bench.slow;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;

/**
 * A file that is read from a slow store. Each positional read is a request. A read of the stream is
 * a new request where it does not go on at the end of the one before. A small gap is read through
 * instead.
 *
 * <p>Several threads may use positional reads, as Hadoop demands. Only one may use the stream.
 */
final class SlowInputStream extends FSInputStream {

  /** The largest gap that is cheaper to read through than to ask anew. */
  private static final long SKIP_BYTES = 64 * 1024;

  private final FSDataInputStream file;
  private final SlowStore store;
  private final SlowStore.Stream stream;
  private long requestedTo = -1;

  SlowInputStream(FSDataInputStream file, SlowStore store) {
    this.file = file;
    this.store = store;
    this.stream = store.newStream();
  }

  @Override
  public int read(long position, byte[] buffer, int offset, int length) throws IOException {
    int read = file.read(position, buffer, offset, length);
    if (read > 0) {
      store.countRead(read);
      SlowStore.Stream request = store.newStream();
      request.transfer(read, false);
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
