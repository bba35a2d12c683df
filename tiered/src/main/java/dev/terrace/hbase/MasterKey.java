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

import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.cipher.KeyWrapper;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.security.EncryptionUtil;

/**
 * Wraps the data keys of the tiers under HBase's master key, as HBase wraps those of its files.
 * What was wrapped under the alternate master key is unwrapped, too. Thread-safe.
 */
final class MasterKey implements KeyWrapper {

  private static final String ALGORITHM = "AES";

  private final Configuration conf;

  /**
   * The master key.
   *
   * @param conf names the key provider and the key
   */
  MasterKey(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Wraps and unwraps a key that nobody uses.
   *
   * @throws GeneralSecurityException if the master key cannot be had
   */
  void check() throws GeneralSecurityException {
    byte[] dataKey = BlockCipher.newKey();
    if (!Arrays.equals(unwrap(wrap(dataKey)), dataKey)) {
      throw new KeyException("a key that was wrapped and unwrapped is another one");
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

  /** HBase and key providers wrap the reason once or more. */
  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
