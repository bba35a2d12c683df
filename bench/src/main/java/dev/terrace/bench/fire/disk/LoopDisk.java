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
package dev.terrace.bench.fire.disk;

import dev.terrace.bench.cli.ByteSize;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A disk for one folder of a cache that can be broken and mended: ext4 in a file, on a loop device.
 * Needs root on Linux. Thread-safe.
 */
public final class LoopDisk {

  /** For the file system itself, and for what other programs fill. */
  private static final ByteSize MORE_THAN_CACHE = ByteSize.ofMebibytes(24);

  private static final byte[] FILLING = new byte[1 << 20];

  private final Path folder;
  private final Path image;
  private final String device;
  private boolean isFrozen;
  private boolean isAway;
  private boolean holdsReads;

  private LoopDisk(Path folder, Path image, String device) {
    this.folder = folder;
    this.image = image;
    this.device = device;
  }

  /**
   * Makes a disk and mounts it over a folder.
   *
   * @param cache what the cache in it takes at first; there is room for twice as much
   * @throws IOException if the system, or the user's rights, do not allow it
   */
  static LoopDisk mount(Path folder, ByteSize cache) throws IOException {
    Path image = folder.resolveSibling(folder.getFileName() + ".img");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(2 * cache.bytes() + MORE_THAN_CACHE.bytes());
    }
    // A journal that met an error would keep the file system from ever working again.
    Command.run("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", image.toString());
    String device = Command.run("losetup", "-f", "--show", image.toString());
    LoopDisk disk = new LoopDisk(folder, image, device);
    try {
      disk.mount();
      Command.run("chmod", "700", folder.toString());
      return disk;
    } catch (IOException e) {
      Command.run("losetup", "-d", device);
      throw e;
    }
  }

  private void mount() throws IOException {
    Command.run("mount", "-o", "noatime", device, folder.toString());
  }

  /** Returns its folder, for the time line. */
  @Override
  public String toString() {
    return folder.getFileName() + " on " + device;
  }

  /** Another program takes all space that is left. */
  public synchronized void fill() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(filling().toFile(), "rw")) {
      while (true) {
        file.write(FILLING);
      }
    } catch (IOException e) {
      if (Files.getFileStore(folder).getUsableSpace() > FILLING.length) {
        throw e;
      }
    }
  }

  private Path filling() {
    return folder.resolve("filling");
  }

  /** From a place on, all I/O fails. */
  public synchronized void failBeyond(double share) throws IOException {
    LoopLimit.set(device, (long) (share * Files.size(image)) / 4096 * 4096);
  }

  /** Everybody who writes waits. */
  public synchronized void freeze() throws IOException {
    Command.run("fsfreeze", "-f", folder.toString());
    isFrozen = true;
  }

  /** Whether {@link #holdReads} works on this system, and for this user. */
  public static boolean canHoldReads() {
    return HeldReads.arePossible();
  }

  /** Everybody who reads from it waits. */
  public synchronized void holdReads() throws IOException {
    holdsReads = true;
    HeldReads.hold(device);
  }

  /** Nobody finds it any more; those that have files open keep them. */
  public synchronized void takeAway() throws IOException {
    Command.run("umount", "-l", folder.toString());
    isAway = true;
  }

  /** Ends what was done to it. */
  public synchronized void mend() throws IOException {
    if (isFrozen) {
      Command.run("fsfreeze", "-u", folder.toString());
      isFrozen = false;
    }
    if (holdsReads) {
      HeldReads.release(device);
      holdsReads = false;
    }
    LoopLimit.set(device, 0);
    if (isAway) {
      mount();
      isAway = false;
    }
    Files.deleteIfExists(filling());
  }

  /** Unmounts it and deletes its file. */
  public synchronized void remove() throws IOException {
    Command.run("umount", "-l", folder.toString());
    Command.run("losetup", "-d", device);
    Files.deleteIfExists(image);
  }
}
