// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;

import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.StoredForm;
import java.util.List;

/** A region tier that encrypts all its blocks is a tier as any other. */
class EncryptedTierTest extends RegionTierContract {

  @Override
  protected RegionConfig config() {
    return RegionConfig.named("test", FILES).withEncryptsAll(true);
  }

  @Override
  protected List<? extends Device> newDevices(int regions, int regionBytes) {
    SimulatedDisk disk = new SimulatedDisk(regions, regionBytes);
    BlockCipher cipher = new BlockCipher(BlockCipher.newKey());
    return List.of(new SimulatedDevice(disk, isMapped(), 1).encrypting(cipher));
  }

  @Override
  protected boolean isClosed(Device device) {
    return ((SimulatedDevice) device).isClosed();
  }

  @Override
  protected boolean isMapped() {
    return true;
  }

  @Override
  protected int storedBytes(String file, long offset, int sizeBytes) {
    return sizeBytes + StoredForm.ENCRYPTION_BYTES;
  }

  @Override
  protected int largestBlockBytes() {
    return super.largestBlockBytes() - StoredForm.ENCRYPTION_BYTES;
  }

  /** Each hit is decrypted into memory of its own. */
  @Override
  protected boolean sharesInstances() {
    return false;
  }
}
