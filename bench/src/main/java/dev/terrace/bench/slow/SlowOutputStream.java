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
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Syncable;

/**
 * A file that is written to a slow store: its first byte is a request, the rest goes as fast as the
 * store takes it. Not safe for use by several threads.
 */
final class SlowOutputStream extends OutputStream implements Syncable {

  private final FSDataOutputStream file;
  private final SlowStore store;
  private final Pace pace;
  private boolean begun;

  SlowOutputStream(FSDataOutputStream file, SlowStore store) {
    this.file = file;
    this.store = store;
    this.pace = new Pace(store);
  }

  @Override
  public void write(int one) throws IOException {
    file.write(one);
    wrote(1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    file.write(bytes, offset, length);
    wrote(length);
  }

  private void wrote(int bytes) throws IOException {
    if (!begun) {
      store.countDataRequest();
    }
    store.countWritten(bytes);
    pace.transfer(bytes, begun);
    begun = true;
  }

  @Override
  public void flush() throws IOException {
    file.flush();
  }

  /** Does what {@link #hflush} does: that has replaced it. */
  @Override
  @Deprecated
  public void sync() throws IOException {
    pace.finish();
    file.hflush();
  }

  @Override
  public void hflush() throws IOException {
    pace.finish();
    file.hflush();
  }

  @Override
  public void hsync() throws IOException {
    pace.finish();
    file.hsync();
  }

  @Override
  public void close() throws IOException {
    try (FSDataOutputStream closed = file) {
      closed.flush();
      pace.finish();
    }
  }
}
