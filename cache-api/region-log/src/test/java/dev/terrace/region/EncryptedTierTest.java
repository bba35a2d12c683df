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
package dev.terrace.region;

import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.files.FileRules;
import dev.terrace.region.format.StoredForm;
import java.util.List;

/** A region tier that encrypts all its blocks is a tier as any other. */
class EncryptedTierTest extends RegionTierContract {

  @Override
  protected RegionConfig config() {
    return RegionConfig.named("test").withFiles(FileRules.NONE.withEncrypted(file -> true));
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
