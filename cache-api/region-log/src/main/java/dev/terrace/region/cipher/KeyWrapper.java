// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.cipher;

import java.security.GeneralSecurityException;

/**
 * Wraps and unwraps data keys under a key that the application keeps elsewhere. Only the wrapped
 * form lies in a cache's folder.
 */
public interface KeyWrapper {

  /**
   * Wraps a data key.
   *
   * @return at most {@value #MAX_WRAPPED_BYTES} bytes
   * @throws GeneralSecurityException if the application's key cannot be had
   */
  byte[] wrap(byte[] dataKey) throws GeneralSecurityException;

  /**
   * Unwraps a data key.
   *
   * @throws GeneralSecurityException if it was wrapped under another key, or is damaged
   */
  byte[] unwrap(byte[] wrapped) throws GeneralSecurityException;

  /** Most bytes of a wrapped key. */
  int MAX_WRAPPED_BYTES = 64 << 10;
}
