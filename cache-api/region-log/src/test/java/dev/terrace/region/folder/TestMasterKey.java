// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;

/**
 * Adds the master key's number to each byte, and puts it before them.
 *
 * @param isThere whether the master key can be had
 */
public record TestMasterKey(int number, boolean isThere) implements KeyWrapper {

  @Override
  public byte[] wrap(byte[] dataKey) throws GeneralSecurityException {
    if (!isThere) {
      throw new InvalidKeyException("no master key");
    }
    byte[] wrapped = new byte[dataKey.length + 1];
    wrapped[0] = (byte) number;
    for (int i = 0; i < dataKey.length; i++) {
      wrapped[i + 1] = (byte) (dataKey[i] + number);
    }
    return wrapped;
  }

  @Override
  public byte[] unwrap(byte[] wrapped) throws GeneralSecurityException {
    if (!isThere || wrapped.length == 0 || wrapped[0] != number) {
      throw new InvalidKeyException("not wrapped with master key " + number);
    }
    byte[] dataKey = new byte[wrapped.length - 1];
    for (int i = 0; i < dataKey.length; i++) {
      dataKey[i] = (byte) (wrapped[i + 1] - number);
    }
    return dataKey;
  }
}
