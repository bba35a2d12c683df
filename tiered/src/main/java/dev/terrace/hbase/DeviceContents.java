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
package dev.terrace.hbase;

import dev.terrace.hbase.blocks.BlockForm;
import dev.terrace.hbase.settings.DeviceEncryption;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.region.cipher.KeyWrapper;
import java.security.GeneralSecurityException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * What the bytes on PMem and SSD depend on.
 *
 * @param text the settings on which they depend; a path with another text starts empty
 * @param keys wraps the keys that they are encrypted with; empty if they are not
 */
record DeviceContents(String text, Optional<KeyWrapper> keys) {

  /**
   * The contents that the settings ask for.
   *
   * @throws SettingsException if they are to be encrypted, and the master key cannot be had; the
   *     error is logged first
   */
  static DeviceContents of(Configuration conf, TerraceSettings settings) {
    String form = BlockForm.of(conf);
    DeviceEncryption encryption = settings.get(TerraceSettings.ENCRYPTION);
    if (encryption == DeviceEncryption.NONE || !settings.hasLastingTier()) {
      return new DeviceContents(form, Optional.empty());
    }
    String setting = TerraceSettings.ENCRYPTION.with(encryption);
    MasterKey masterKey = new MasterKey(conf);
    try {
      masterKey.check();
    } catch (GeneralSecurityException e) {
      throw new SettingsException(
              setting
                  + " needs HBase's master key, which cannot be had ("
                  + e.getMessage()
                  + "): check "
                  + HConstants.CRYPTO_KEYPROVIDER_CONF_KEY
                  + ", "
                  + HConstants.CRYPTO_KEYPROVIDER_PARAMETERS_KEY
                  + " and "
                  + HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY
                  + ", or set "
                  + TerraceSettings.ENCRYPTION.key()
                  + " to none",
              e)
          .logged();
    }
    return new DeviceContents(form + " " + setting, Optional.of(masterKey));
  }
}
