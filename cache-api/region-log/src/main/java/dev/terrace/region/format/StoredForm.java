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
package dev.terrace.region.format;

import java.nio.ByteBuffer;

/**
 * The form in which a record stores its block. The record's header names it. A {@link #PLAIN} block
 * is stored as the codec encoded it. In every other form a prefix comes first:
 *
 * <pre>
 *   0            4                     16
 *   +------------+---------------------+-- ... --+---------------+
 *   | plain size |       nonce         |  body   |  tag (16)     |
 *   +------------+---------------------+-- ... --+---------------+
 * </pre>
 *
 * <p>The record's header has the size of all of it, and a checksum over all of it, so that a record
 * can be moved and verified without the key. Forms are bits, so that others can be added.
 */
public final class StoredForm {

  /** The block's bytes alone. */
  public static final int PLAIN = 0;

  /** AES-GCM with a nonce of 96 bits and a tag of 128. */
  public static final int ENCRYPTED = 1;

  /** The bytes of a nonce. */
  public static final int NONCE_BYTES = 12;

  /** The bytes of a tag. */
  public static final int TAG_BYTES = 16;

  private static final int PREFIX_BYTES = Integer.BYTES + NONCE_BYTES;

  /** What encryption adds to a block. */
  public static final int ENCRYPTION_BYTES = PREFIX_BYTES + TAG_BYTES;

  private StoredForm() {}

  /** The size of a block in a form. */
  public static int storedBytes(int form, int plainBytes) {
    return form == PLAIN ? plainBytes : plainBytes + ENCRYPTION_BYTES;
  }

  /** Writes the prefix at the buffer's position, which is advanced. */
  public static void writePrefix(ByteBuffer sealed, int plainBytes, byte[] nonce) {
    RecordLayout.littleEndian(sealed).putInt(plainBytes).put(nonce);
  }

  /**
   * The size of the block in stored bytes.
   *
   * @return 0 if these cannot be an encrypted block
   */
  public static int plainBytes(ByteBuffer sealed) {
    int bodyBytes = sealed.remaining() - ENCRYPTION_BYTES;
    ByteBuffer bytes = RecordLayout.littleEndian(sealed.duplicate());
    return bodyBytes > 0 && bytes.getInt(bytes.position()) == bodyBytes ? bodyBytes : 0;
  }

  /** The nonce in stored bytes. */
  public static byte[] nonce(ByteBuffer sealed) {
    byte[] nonce = new byte[NONCE_BYTES];
    sealed.get(sealed.position() + Integer.BYTES, nonce);
    return nonce;
  }

  /** What comes after the prefix. */
  public static ByteBuffer body(ByteBuffer sealed) {
    return sealed.slice(sealed.position() + PREFIX_BYTES, sealed.remaining() - PREFIX_BYTES);
  }
}
