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
import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * {@code terrace-slow:///folder}: the local file {@code /folder}, with the waiting of a slow store
 * around it. {@link SlowSettings} says how slow. What is read and written is what the local file
 * system reads and writes. Safe for use by several threads.
 */
public final class SlowFileSystem extends RawLocalFileSystem {

  private static final URI ADDRESS = URI.create(SlowSettings.SCHEME + ":///");

  private SlowStore store;

  /** As Hadoop makes one; its store is found when it is initialized. */
  public SlowFileSystem() {}

  SlowFileSystem(SlowStore store) {
    this.store = store;
  }

  @Override
  public void initialize(URI uri, Configuration configuration) throws IOException {
    if (store == null) {
      store =
          SlowStore.of(SlowSettings.profile(configuration), SlowSettings.warmUpFile(configuration));
    }
    super.initialize(uri, configuration);
  }

  @Override
  public URI getUri() {
    return ADDRESS;
  }

  @Override
  public String getScheme() {
    return SlowSettings.SCHEME;
  }

  @Override
  public FSDataInputStream open(Path file, int bufferBytes) throws IOException {
    store.metadataRequest();
    return new FSDataInputStream(new SlowInputStream(super.open(file, bufferBytes), store));
  }

  @Override
  public FSDataOutputStream append(Path file, int bufferBytes, Progressable progress)
      throws IOException {
    return slow(super.append(file, bufferBytes, progress));
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      boolean overwrite,
      int bufferBytes,
      short replication,
      long blockBytes,
      Progressable progress)
      throws IOException {
    return slow(super.create(file, overwrite, bufferBytes, replication, blockBytes, progress));
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferBytes,
      short replication,
      long blockBytes,
      Progressable progress)
      throws IOException {
    return slow(
        super.create(file, permission, overwrite, bufferBytes, replication, blockBytes, progress));
  }

  @Override
  public FSDataOutputStream createNonRecursive(
      Path file,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferBytes,
      short replication,
      long blockBytes,
      Progressable progress)
      throws IOException {
    return slow(
        super.createNonRecursive(
            file, permission, flags, bufferBytes, replication, blockBytes, progress));
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
   * The local file system finds owner and permission out when they are asked for, and only for
   * addresses of its own scheme. Object stores have none of a file's own either.
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

  private FSDataOutputStream slow(FSDataOutputStream file) throws IOException {
    return new FSDataOutputStream(new SlowOutputStream(file, store), null);
  }
}
