// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.device.Device;
import dev.terrace.region.format.CacheSecret;
import dev.terrace.region.format.DeviceGeometry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;

/** A device with its regions in the folder of a path. */
public abstract class FolderDevice implements Device {

  private final CacheFolder folder;
  private final BlockCipher cipher;

  /** Opened at first use, by the device's worker. */
  private EvictionsFile evictions;

  private boolean closed;

  /** Not volatile: handed on with the regions, as the lists of {@code TierRegions} are. */
  private DeviceGeometry geometry;

  /** A device in a folder, which it closes. */
  protected FolderDevice(CacheFolder folder) {
    this.folder = folder;
    this.cipher = folder.cipher().orElse(null);
    this.geometry = folder.geometry();
  }

  /** The layout of the regions in the file. */
  protected final DeviceGeometry geometry() {
    return geometry;
  }

  /** Releases the path. */
  protected final void closeFolder() {
    closeEvictions();
    folder.close();
  }

  private synchronized void closeEvictions() {
    closed = true;
    if (evictions != null) {
      try {
        evictions.close();
      } catch (IOException e) {
        throw new UncheckedIOException("path=" + path() + " cannot be closed", e);
      }
    }
  }

  private EvictionsFile evictions() throws IOException {
    if (closed) {
      throw new IOException("path=" + path() + " is closed");
    }
    if (evictions == null) {
      evictions = EvictionsFile.open(folder.regionsFile().getParent());
    }
    return evictions;
  }

  @Override
  public final synchronized ByteBuffer evictions(int place) throws IOException {
    return evictions().read(place);
  }

  @Override
  public final synchronized void evictions(int place, ByteBuffer list) throws IOException {
    evictions().write(place, list);
  }

  /**
   * One line for logs: kind, path and size.
   *
   * @param kind a word for devices of this kind
   * @param how a remark on this one
   */
  protected final String description(String kind, String how) {
    return kind
        + " path="
        + path()
        + " regions="
        + regions()
        + " regionBytes="
        + regionBytes()
        + " id="
        + id()
        + " generation="
        + generation()
        + ": "
        + how;
  }

  @Override
  public final String path() {
    return folder.path().toString();
  }

  @Override
  public final UUID id() {
    return folder.id();
  }

  @Override
  public final CacheSecret secret() {
    return folder.secret();
  }

  @Override
  public final BlockCipher cipher() {
    return cipher;
  }

  @Override
  public final long generation() {
    return folder.generation();
  }

  @Override
  public final Optional<String> whyLost() throws IOException {
    return folder.whyLost();
  }

  @Override
  public final void resize(int regions) throws IOException {
    int before = regions();
    folder.resize(regions);
    boolean usable = false;
    try {
      resized(folder);
      usable = true;
    } finally {
      if (!usable) {
        folder.resize(before);
      }
    }
    geometry = folder.geometry();
  }

  /**
   * Called when the folder has another number of regions, before they are used.
   *
   * @throws IOException if they cannot be used; then the folder gets its former number back
   */
  protected void resized(CacheFolder resized) throws IOException {}

  @Override
  public final int regions() {
    return geometry.regions();
  }

  @Override
  public final int regionBytes() {
    return geometry.regionBytes();
  }
}
