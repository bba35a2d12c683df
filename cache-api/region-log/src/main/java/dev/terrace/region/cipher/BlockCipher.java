// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.cipher;

import dev.terrace.region.format.RecordLayout;
import dev.terrace.region.format.StoredForm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts the blocks of one folder with AES-GCM, and decrypts them. Any thread may call any
 * method.
 *
 * <p>See {@link StoredForm} for the layout of an encrypted block.
 */
public final class BlockCipher {

  /*
   * No nonce is used twice under a key. Each opening of a folder encrypts under a key of its own,
   * made of the folder's data key and 128 random bits, the salt, which each block carries. Within
   * an opening, the nonce is the record's sequence, which no other record has. So copies of a
   * folder, which have one data key and use the same sequences, use different keys: on two
   * machines, on two paths, or one after the other. A record that moves keeps its salt, nonce and
   * bytes, and is not encrypted again.
   */

  /** The length of a data key: that of HBase's own AES. */
  public static final int KEY_BYTES = 16;

  private static final String ALGORITHM = "AES";
  private static final String TRANSFORMATION = "AES/GCM/NoPadding";
  private static final String DERIVATION = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A cipher is for one thread at a time, and making one costs more than a small block. */
  private static final ThreadLocal<Cipher> CIPHERS =
      ThreadLocal.withInitial(BlockCipher::newCipher);

  /** Bounds the derived keys; a folder has one salt per opening. */
  private static final int MAX_KEYS = 1_024;

  private final SecretKey dataKey;
  private final UUID salt = new UUID(RANDOM.nextLong(), RANDOM.nextLong());
  private final Map<UUID, SecretKey> keys = new ConcurrentHashMap<>();

  private final Optional<String> fault;

  /** A cipher for one opening of a folder. Copies the key. */
  public BlockCipher(byte[] dataKey) {
    this.dataKey = new SecretKeySpec(dataKey, ALGORITHM);
    this.fault = trial();
  }

  /**
   * Why the JVM's providers do not encrypt blocks; empty if they do. In some FIPS modes they refuse
   * a nonce of the caller's.
   */
  public Optional<String> fault() {
    return fault;
  }

  /** Seals and opens a block. No record has its sequence. */
  private Optional<String> trial() {
    Identity block = new Identity("trial", 0, StoredForm.ENCRYPTED, 0, 0);
    ByteBuffer plain = ByteBuffer.allocate(KEY_BYTES);
    ByteBuffer sealed =
        ByteBuffer.allocate(StoredForm.storedBytes(StoredForm.ENCRYPTED, KEY_BYTES));
    try {
      seal(block, plain, sealed.duplicate(), 0);
      return open(block, sealed, ByteBuffer.allocate(KEY_BYTES))
          ? Optional.empty()
          : Optional.of("an encrypted test block could not be decrypted");
    } catch (RuntimeException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return Optional.of(cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }
  }

  public static byte[] newKey() {
    byte[] dataKey = new byte[KEY_BYTES];
    RANDOM.nextBytes(dataKey);
    return dataKey;
  }

  /**
   * The identity that the encrypted bytes are bound to: they decrypt only for this block.
   *
   * @param file the file's name
   * @param offset where the block starts in its file
   * @param form the form of the stored block
   * @param format the codec's format of the block
   * @param type the block's type
   */
  public record Identity(String file, long offset, int form, int format, int type) {

    private byte[] bytes(int plainBytes) {
      byte[] name = file.getBytes(StandardCharsets.UTF_8);
      return RecordLayout.littleEndian(ByteBuffer.allocate(24 + name.length))
          .putInt(form)
          .putInt(plainBytes)
          .putLong(offset)
          .putInt(format)
          .putInt(type)
          .put(name)
          .array();
    }
  }

  /**
   * Encrypts a block.
   *
   * @param plain the block, from its position to its limit; neither changes
   * @param sealed gets the stored bytes, from its position to its limit
   * @param sequence the sequence of the block's record, never used before
   */
  public void seal(Identity block, ByteBuffer plain, ByteBuffer sealed, long sequence) {
    int plainBytes = plain.remaining();
    byte[] nonce =
        RecordLayout.littleEndian(ByteBuffer.allocate(StoredForm.NONCE_BYTES))
            .putLong(sequence)
            .array();
    try {
      Cipher cipher = CIPHERS.get();
      cipher.init(Cipher.ENCRYPT_MODE, key(salt), parameters(nonce));
      cipher.updateAAD(block.bytes(plainBytes));
      StoredForm.writePrefix(sealed, plainBytes, nonce, salt);
      cipher.doFinal(plain.duplicate(), sealed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot encrypt bytes=" + plainBytes, e);
    }
  }

  /**
   * Decrypts a block.
   *
   * @param sealed the stored bytes, from its position to its limit; neither changes
   * @param plain gets the block; its remaining room is that of {@link StoredForm#plainBytes}
   * @return false if the bytes are not this block's, encrypted with this key; then the contents of
   *     {@code plain} are undefined
   */
  public boolean open(Identity block, ByteBuffer sealed, ByteBuffer plain) {
    byte[] nonce = StoredForm.nonce(sealed);
    try {
      Cipher cipher = CIPHERS.get();
      cipher.init(Cipher.DECRYPT_MODE, keyOf(block.form, sealed), parameters(nonce));
      cipher.updateAAD(block.bytes(plain.remaining()));
      cipher.doFinal(StoredForm.body(block.form, sealed), plain);
      return !plain.hasRemaining();
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot decrypt bytes=" + sealed.remaining(), e);
    }
  }

  private SecretKey keyOf(int form, ByteBuffer sealed) {
    return StoredForm.isSalted(form) ? key(StoredForm.salt(sealed)) : dataKey;
  }

  private SecretKey key(UUID ofSalt) {
    if (keys.size() > MAX_KEYS) {
      keys.clear();
    }
    return keys.computeIfAbsent(ofSalt, this::derived);
  }

  /** HMAC-SHA-256 of the salt under the data key, cut to the length of a key. */
  private SecretKey derived(UUID ofSalt) {
    byte[] bytes =
        RecordLayout.littleEndian(ByteBuffer.allocate(2 * Long.BYTES))
            .putLong(ofSalt.getMostSignificantBits())
            .putLong(ofSalt.getLeastSignificantBits())
            .array();
    try {
      Mac mac = Mac.getInstance(DERIVATION);
      mac.init(new SecretKeySpec(dataKey.getEncoded(), DERIVATION));
      return new SecretKeySpec(mac.doFinal(bytes), 0, KEY_BYTES, ALGORITHM);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM lacks " + DERIVATION, e);
    }
  }

  private static GCMParameterSpec parameters(byte[] nonce) {
    return new GCMParameterSpec(StoredForm.TAG_BYTES * Byte.SIZE, nonce);
  }

  private static Cipher newCipher() {
    try {
      return Cipher.getInstance(TRANSFORMATION);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM lacks " + TRANSFORMATION, e);
    }
  }

  /**
   * Wraps and unwraps data keys under a key that the application keeps elsewhere. Only the wrapped
   * form lies in a cache's folder.
   */
  public interface KeyWrapper {

    /**
     * Wraps a data key.
     *
     * @return at most {@value #MAX_WRAPPED_BYTES} bytes
     * @throws GeneralSecurityException if the application's key is not available
     */
    byte[] wrap(byte[] dataKey) throws GeneralSecurityException;

    /**
     * Unwraps a data key.
     *
     * @throws GeneralSecurityException if it was wrapped under another key, or is damaged
     */
    byte[] unwrap(byte[] wrapped) throws GeneralSecurityException;

    int MAX_WRAPPED_BYTES = 64 << 10;
  }
}
