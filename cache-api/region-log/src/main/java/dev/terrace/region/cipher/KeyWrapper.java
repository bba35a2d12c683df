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
