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
package dev.terrace.bench.powercut;

import dev.terrace.region.cipher.KeyWrapper;
import java.security.GeneralSecurityException;
import java.security.Key;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/** A master key that each boot of the virtual machine knows. Protects nothing. */
final class FixedMasterKey implements KeyWrapper {

  private static final String WRAPPING = "AESWrap";
  private static final String ALGORITHM = "AES";

  private final Key key = new SecretKeySpec(new byte[16], ALGORITHM);

  @Override
  public byte[] wrap(byte[] dataKey) throws GeneralSecurityException {
    return cipher(Cipher.WRAP_MODE).wrap(new SecretKeySpec(dataKey, ALGORITHM));
  }

  @Override
  public byte[] unwrap(byte[] wrapped) throws GeneralSecurityException {
    return cipher(Cipher.UNWRAP_MODE).unwrap(wrapped, ALGORITHM, Cipher.SECRET_KEY).getEncoded();
  }

  private Cipher cipher(int mode) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(WRAPPING);
    cipher.init(mode, key);
    return cipher;
  }
}
