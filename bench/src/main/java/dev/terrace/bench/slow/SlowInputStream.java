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

import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;

/**
 * A file that is read from a slow store. A positional read is a request of its own. A read of the
 * stream is one when it goes on somewhere else than the one before stopped, unless that is a little
 * further on: then the bytes between are read as well.
 *
 * <p>Positional reads are safe for use by several threads, as Hadoop asks for; the rest is not.
 */
final class SlowInputStream extends FSInputStream {

  /** How far ahead skipping the bytes is taken to be cheaper than asking anew. */
  private static final long SKIP_BYTES = 64 * 1024;

  private final FSDataInputStream file;
  private final SlowStore store;
  private final Pace pace;
  private long requestedTo = -1;

  SlowInputStream(FSDataInputStream file, SlowStore store) {
    this.file = file;
    this.store = store;
    this.pace = new Pace(store);
  }

  @Override
  public int read(long position, byte[] buffer, int offset, int length) throws IOException {
    int read = file.read(position, buffer, offset, length);
    if (read > 0) {
      store.countDataRequest();
      store.countRead(read);
      store.awaitNanoTime(store.transfer(store.nanoTime(), read, new Object(), false));
    }
    return read;
  }

  @Override
  public void readFully(long position, byte[] buffer, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int read = read(position + done, buffer, offset + done, length - done);
      if (read < 0) {
        throw new EOFException(
            "end of file at " + (position + done) + ", wanted " + length + " bytes of " + position);
      }
      done += read;
    }
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
      long skipped = position - requestedTo;
      boolean goesOn = requestedTo >= 0 && skipped >= 0 && skipped <= SKIP_BYTES;
      if (!goesOn) {
        store.countDataRequest();
      }
      store.countRead(read);
      pace.transfer(goesOn ? skipped + read : read, goesOn);
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
  public int available() throws IOException {
    return file.available();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
