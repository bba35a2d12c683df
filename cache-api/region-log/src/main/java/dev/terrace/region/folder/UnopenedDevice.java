// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.device.Device;
import dev.terrace.region.format.CacheSecret;
import dev.terrace.region.format.DeviceGeometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Stands for a path that could not be opened, until it can be: all that touches bytes fails. What
 * is on the path stays there.
 *
 * @param path the directory, as it was configured
 * @param geometry what it would have
 * @param isMapped whether the other paths of its tier are
 * @param why why it could not be opened
 */
public record UnopenedDevice(
    String path, DeviceGeometry geometry, boolean isMapped, IOException why) implements Device {

  private static final int MOST_ALIGNMENT_BYTES = 4096;
  private static final UUID NOBODY = new UUID(0, 0);
  private static final CacheSecret NO_SECRET = new CacheSecret(0, 0);

  /** The same, for a tier whose other paths are mapped. */
  public UnopenedDevice mapped() {
    return new UnopenedDevice(path, geometry, true, why);
  }

  @Override
  public UUID id() {
    return NOBODY;
  }

  @Override
  public CacheSecret secret() {
    return NO_SECRET;
  }

  /** As of a path that is empty, so that nobody waits for its recovery. */
  @Override
  public long generation() {
    return 1;
  }

  @Override
  public int regions() {
    return geometry.regions();
  }

  @Override
  public int regionBytes() {
    return geometry.regionBytes();
  }

  /** As much as any device needs that may come in the place of this one. */
  @Override
  public int alignmentBytes() {
    return isMapped ? 1 : MOST_ALIGNMENT_BYTES;
  }

  /** None, which nobody uses: the path is not in service. */
  @Override
  public ByteBuffer memory(int region) {
    return ByteBuffer.allocate(0);
  }

  private IOException unopened() {
    return new IOException("path=" + path + " could not be opened", why);
  }

  @Override
  public void read(int region, int position, ByteBuffer target) throws IOException {
    throw unopened();
  }

  @Override
  public void write(int region, int position, ByteBuffer source) throws IOException {
    throw unopened();
  }

  @Override
  public void force(int region, int position, int lengthBytes) throws IOException {
    throw unopened();
  }

  @Override
  public void close() {}
}
