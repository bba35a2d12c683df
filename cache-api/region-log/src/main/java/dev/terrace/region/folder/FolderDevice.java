// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.UninterruptibleFile;
import dev.terrace.region.format.DeviceGeometry;
import dev.terrace.region.format.Superblock;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A device with its regions in the folder of a path, read and written by system calls. */
public abstract class FolderDevice implements Device.WithSuperblock {

  private static final Logger LOG = LoggerFactory.getLogger(FolderDevice.class);

  private final CacheFolder folder;
  private final UninterruptibleFile file;

  /** A device in a folder. It closes the folder and the regions file. */
  protected FolderDevice(CacheFolder folder, UninterruptibleFile file) {
    this.folder = folder;
    this.file = file;
  }

  protected final DeviceGeometry geometry() {
    return folder.geometry();
  }

  /** The regions, one after the other. */
  protected final Path regionsFile() {
    return folder.regionsFile();
  }

  @Override
  public final void read(int region, int position, ByteBuffer target) throws IOException {
    int length = target.remaining();
    long offset = geometry().offset(region, position, length);
    try {
      file.read(offset, target);
    } catch (IOException e) {
      throw failed("read", region, position, length, e);
    }
  }

  @Override
  public final void write(int region, int position, ByteBuffer source) throws IOException {
    int length = source.remaining();
    long offset = geometry().offset(region, position, length);
    try {
      file.write(offset, source);
    } catch (IOException e) {
      throw failed("write", region, position, length, e);
    }
  }

  @Override
  public void force(int region, int position, int lengthBytes) throws IOException {
    geometry().offset(region, position, lengthBytes);
    try {
      file.force();
    } catch (IOException e) {
      throw failed("force", region, position, lengthBytes, e);
    }
  }

  /** The exception for a failed operation on a part of a region. */
  protected final IOException failed(
      String what, int region, int position, int lengthBytes, IOException cause) {
    String message =
        "%s failed: path=%s region=%s position=%s lengthBytes=%s: %s"
            .formatted(what, path(), region, position, lengthBytes, cause);
    return cause instanceof EOFException
        ? (IOException) new EOFException(message).initCause(cause)
        : new IOException(message, cause);
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("{}: closing failed; the next start checks it: {}", path(), e.toString());
    } finally {
      folder.close();
    }
  }

  @Override
  public final ByteBuffer evictions(int place) throws IOException {
    return folder.evictions(place);
  }

  @Override
  public final void evictions(int place, int position, ByteBuffer list) throws IOException {
    folder.evictions(place, position, list);
  }

  /** One line for logs: kind, path and size, and a remark. */
  protected final String description(String kind, String how) {
    return "%s path=%s regions=%s regionBytes=%s id=%s generation=%s: %s"
        .formatted(kind, path(), regions(), regionBytes(), superblock().id(), generation(), how);
  }

  @Override
  public final String path() {
    return folder.path().toString();
  }

  @Override
  public final Superblock superblock() {
    return folder.superblock();
  }

  @Override
  public final BlockCipher cipher() {
    return folder.cipher();
  }

  @Override
  public final Optional<String> whyLost() throws IOException {
    return folder.whyLost();
  }

  @Override
  public final void resize(int regions) throws IOException {
    int before = regions();
    folder.resize(regions);
    try {
      resized();
    } catch (IOException | RuntimeException | Error e) {
      folder.resize(before);
      throw e;
    }
  }

  /**
   * Called when the number of regions has changed, before the new ones are used.
   *
   * @throws IOException if they cannot be used; the folder then gets its former number back
   */
  protected void resized() throws IOException {}
}
