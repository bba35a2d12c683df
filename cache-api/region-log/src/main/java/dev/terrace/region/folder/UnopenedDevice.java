// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.device.Device;
import dev.terrace.region.format.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Stands for a path that could not be opened, until it can be. Every access to its bytes fails. The
 * path's contents are kept.
 *
 * @param path the directory, as it was configured
 * @param superblock that of an empty path; it is not written
 * @param why why it could not be opened
 */
public record UnopenedDevice(String path, Superblock superblock, IOException why)
    implements Device.WithSuperblock {

  public UnopenedDevice because(IOException reason) {
    return new UnopenedDevice(path, superblock, reason);
  }

  /** As most devices need that may replace this one; its tier refuses one that needs more. */
  @Override
  public int alignmentBytes() {
    return 4096;
  }

  /** Empty, and never used: the path is not in service. */
  @Override
  public ByteBuffer memory(int region) {
    return ByteBuffer.allocate(0);
  }

  @Override
  public void close() {}
}
