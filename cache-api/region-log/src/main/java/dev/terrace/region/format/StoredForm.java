// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The form in which a record stores its block: flags, in one byte of the record's header. A {@link
 * #PLAIN} block is stored as the codec encoded it. A compressed one is preceded by its plain size:
 *
 * <pre>
 *   0            4
 *   +------------+-- ... --+
 *   | plain size |  body   |
 *   +------------+-- ... --+
 * </pre>
 *
 * <p>An encrypted block, which may have been compressed first, has a longer prefix. Its plain size
 * is that of the bytes that were encrypted:
 *
 * <pre>
 *   0            4                     16                32
 *   +------------+---------------------+-----------------+-- ... --+---------------+
 *   | plain size |       nonce         |      salt       |  body   |  tag (16)     |
 *   +------------+---------------------+-----------------+-- ... --+---------------+
 * </pre>
 *
 * <p>The salt makes the block's key of the folder's data key. Without the bit for it, there is no
 * salt, and the data key is the block's.
 *
 * <p>The size and the checksum in the record's header are those of the whole stored form, so that a
 * record can be moved and verified as it is.
 */
public final class StoredForm {

  public static final int PLAIN = 0;

  /** AES-GCM with a nonce of 96 bits and a tag of 128. */
  private static final int GCM = 1;

  /** Under a key made of the data key and a salt. */
  private static final int SALTED = 8;

  /** How blocks are encrypted. */
  public static final int ENCRYPTED = GCM | SALTED;

  public static final int LZ4 = 2;
  public static final int ZSTD = 4;
  public static final int PLAIN_SIZE_BYTES = Integer.BYTES;
  public static final int NONCE_BYTES = 12;
  public static final int TAG_BYTES = 16;

  private static final int SALT_AT = Integer.BYTES + NONCE_BYTES;
  private static final int SALT_BYTES = 2 * Long.BYTES;
  public static final int ENCRYPTION_BYTES = SALT_AT + SALT_BYTES + TAG_BYTES;

  private StoredForm() {}

  public static boolean isEncrypted(int form) {
    return (form & GCM) != 0;
  }

  public static boolean isSalted(int form) {
    return (form & SALTED) != 0;
  }

  private static int bodyAt(int form) {
    return isSalted(form) ? SALT_AT + SALT_BYTES : SALT_AT;
  }

  /** The form without encryption: that of the bytes that were encrypted. */
  public static int compression(int form) {
    return form & ~ENCRYPTED;
  }

  /** The stored size of a block that is already compressed, if its form says so. */
  public static int storedBytes(int form, int plainBytes) {
    return isEncrypted(form) ? plainBytes + ENCRYPTION_BYTES : plainBytes;
  }

  /** Writes the prefix of compressed bytes at the buffer's position, which is advanced. */
  public static void writePlainBytes(ByteBuffer compressed, int plainBytes) {
    RecordLayout.littleEndian(compressed).putInt(plainBytes);
  }

  /**
   * The plain size of a compressed block.
   *
   * @param maxBytes the largest block
   * @return 0 if the bytes cannot be a compressed block
   */
  public static int compressedPlainBytes(ByteBuffer compressed, int maxBytes) {
    if (compressed.remaining() <= PLAIN_SIZE_BYTES) {
      return 0;
    }
    ByteBuffer bytes = RecordLayout.littleEndian(compressed.duplicate());
    int plainBytes = bytes.getInt(bytes.position());
    return plainBytes > compressed.remaining() && plainBytes <= maxBytes ? plainBytes : 0;
  }

  public static ByteBuffer compressedBody(ByteBuffer compressed) {
    return compressed.slice(
        compressed.position() + PLAIN_SIZE_BYTES, compressed.remaining() - PLAIN_SIZE_BYTES);
  }

  /** Writes the prefix of an encrypted block at the buffer's position, which is advanced. */
  public static void writePrefix(ByteBuffer sealed, int plainBytes, byte[] nonce, UUID salt) {
    RecordLayout.littleEndian(sealed)
        .putInt(plainBytes)
        .put(nonce)
        .putLong(salt.getMostSignificantBits())
        .putLong(salt.getLeastSignificantBits());
  }

  /**
   * The number of bytes that were encrypted.
   *
   * @return 0 if the stored bytes cannot be an encrypted block
   */
  public static int plainBytes(int form, ByteBuffer sealed) {
    int bodyBytes = sealed.remaining() - bodyAt(form) - TAG_BYTES;
    ByteBuffer bytes = RecordLayout.littleEndian(sealed.duplicate());
    return bodyBytes > 0 && bytes.getInt(bytes.position()) == bodyBytes ? bodyBytes : 0;
  }

  public static byte[] nonce(ByteBuffer sealed) {
    byte[] nonce = new byte[NONCE_BYTES];
    sealed.get(sealed.position() + Integer.BYTES, nonce);
    return nonce;
  }

  public static UUID salt(ByteBuffer sealed) {
    ByteBuffer bytes = RecordLayout.littleEndian(sealed.duplicate());
    int at = sealed.position() + SALT_AT;
    return new UUID(bytes.getLong(at), bytes.getLong(at + Long.BYTES));
  }

  /** The encrypted bytes and the tag, after the prefix. */
  public static ByteBuffer body(int form, ByteBuffer sealed) {
    int at = bodyAt(form);
    return sealed.slice(sealed.position() + at, sealed.remaining() - at);
  }
}
