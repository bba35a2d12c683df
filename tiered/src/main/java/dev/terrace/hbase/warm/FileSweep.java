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
package dev.terrace.hbase.warm;

import dev.terrace.hbase.files.StoreFileNames;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/** A way through all blocks of files, one file after the other. Guarded by its warmer. */
final class FileSweep {

  private final List<HStoreFile> files;

  /** Where the blocks of each file end that are read one by one. */
  private final long[] ends;

  private final long bytes;
  private long passedBytes;
  private int at;
  private boolean isTaken;
  private long offset;

  /** A sweep of files; those that are not open are left out. */
  FileSweep(List<HStoreFile> files) {
    this.files = files;
    this.ends = files.stream().mapToLong(FileSweep::end).toArray();
    long sum = 0;
    for (long end : ends) {
      sum += end;
    }
    this.bytes = sum;
    passEnded();
  }

  private static long end(HStoreFile file) {
    StoreFileReader reader = file.getReader();
    // Behind it is what HBase keeps on the heap.
    return reader == null ? 0 : reader.getHFileReader().getTrailer().getLoadOnOpenDataOffset();
  }

  private void passEnded() {
    while (at < ends.length && offset >= ends[at]) {
      at++;
      offset = 0;
    }
  }

  boolean isDone() {
    return at == ends.length;
  }

  /** Whether there is a part that nobody has taken. */
  boolean hasNext() {
    return !isDone() && !isTaken;
  }

  /** The rest of a file, and the name under which its blocks are cached. */
  record Part(HStoreFile open, String file, long from, long end) {}

  /** Takes what comes next; to be followed by {@link #pass}. */
  Part take() {
    isTaken = true;
    HStoreFile open = files.get(at);
    return new Part(open, StoreFileNames.physical(open.getPath().getName()), offset, ends[at]);
  }

  /** All is done up to an offset in the file that was taken. */
  void pass(long to) {
    isTaken = false;
    long most = Math.min(to, ends[at]);
    passedBytes += most - offset;
    offset = most;
    passEnded();
  }

  long bytes() {
    return bytes;
  }

  long passedBytes() {
    return passedBytes;
  }
}
