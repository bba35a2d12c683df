// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.security.EncryptionUtil;
import org.apache.hbase.thirdparty.com.google.common.base.Throwables;

/**
 * Wraps the tiers' data keys under HBase's master key, as HBase wraps those of its files. Also
 * unwraps keys that were wrapped under the alternate master key.
 *
 * @param conf names the key provider and the key
 */
record MasterKey(Configuration conf) implements KeyWrapper {

  private static final String ALGORITHM = "AES";

  /**
   * Checks the master key by wrapping and unwrapping a throwaway key.
   *
   * @throws GeneralSecurityException if the master key is not available
   */
  void check() throws GeneralSecurityException {
    byte[] dataKey = BlockCipher.newKey();
    if (!Arrays.equals(unwrap(wrap(dataKey)), dataKey)) {
      throw new KeyException("wrapping and unwrapping a key with the master key changed it");
    }
  }

  @Override
  public byte[] wrap(byte[] dataKey) throws GeneralSecurityException {
    try {
      return EncryptionUtil.wrapKey(conf, dataKey, ALGORITHM);
    } catch (IOException | RuntimeException e) {
      throw new KeyException(reason(e), e);
    }
  }

  @Override
  public byte[] unwrap(byte[] wrapped) throws GeneralSecurityException {
    try {
      Key dataKey = EncryptionUtil.unwrapKey(conf, wrapped);
      return dataKey.getEncoded();
    } catch (IOException | RuntimeException e) {
      throw new KeyException(reason(e), e);
    }
  }

  /** The root cause: HBase and key providers wrap it, sometimes more than once. */
  private static String reason(Throwable failure) {
    Throwable cause = Throwables.getRootCause(failure);
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  /**
   * The master key; empty if blocks on PMem and SSD are not encrypted.
   *
   * @throws SettingsException if encryption is on, but the master key is not available; the error
   *     is logged first
   */
  static Optional<KeyWrapper> of(Configuration conf, TerraceSettings settings) {
    DeviceEncryption encryption = settings.get(TerraceSettings.ENCRYPTION);
    if (encryption == DeviceEncryption.NONE || !settings.hasLastingTier()) {
      return Optional.empty();
    }
    MasterKey masterKey = new MasterKey(conf);
    try {
      masterKey.check();
    } catch (GeneralSecurityException e) {
      throw new SettingsException(
              String.format(
                  "%s needs HBase's master key, which is not available (%s): check %s, %s and %s, or"
                      + " set %s to none",
                  TerraceSettings.ENCRYPTION.with(encryption),
                  e.getMessage(),
                  HConstants.CRYPTO_KEYPROVIDER_CONF_KEY,
                  HConstants.CRYPTO_KEYPROVIDER_PARAMETERS_KEY,
                  HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY,
                  TerraceSettings.ENCRYPTION.key()),
              e)
          .logged();
    }
    return Optional.of(masterKey);
  }
}
