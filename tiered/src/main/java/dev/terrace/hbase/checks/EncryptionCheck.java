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
package dev.terrace.hbase.checks;

import dev.terrace.hbase.settings.DeviceEncryption;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.TerraceSettings;
import java.util.List;

/**
 * Checks that blocks to be encrypted get a key. The server finds out whether the key is available.
 */
final class EncryptionCheck implements Check {

  private static final String PROVIDER = "hbase.crypto.keyprovider";
  private static final String PARAMETERS = "hbase.crypto.keyprovider.parameters";

  @Override
  public List<Finding> of(Start start) {
    DeviceEncryption encryption = start.settings().get(TerraceSettings.ENCRYPTION);
    if (encryption == DeviceEncryption.NONE) {
      return List.of();
    }
    String setting = TerraceSettings.ENCRYPTION.with(encryption);
    if (!start.settings().hasLastingTier()) {
      return List.of(
          Finding.warning(
              setting + " has no effect without a tier on PMem or SSD",
              "Blocks in DRAM are not encrypted, as those of HBase's own caches are not.",
              "remove it, or add such a tier"));
    }
    if (start.site().get(PROVIDER).isEmpty() && start.site().get(PARAMETERS).isEmpty()) {
      return List.of(
          Finding.error(
              setting + " needs a key provider, and HBase has none",
              "The keys of the tiers lie on their paths, wrapped by HBase's master key.",
              "set "
                  + PROVIDER
                  + " and "
                  + PARAMETERS
                  + ", as for encrypted families, or "
                  + TerraceSettings.ENCRYPTION.key()
                  + " to none"));
    }
    return List.of();
  }
}
