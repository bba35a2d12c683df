// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.folder.UnusablePathException.FatalPathException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.util.Arrays;
import java.util.Optional;

/** The file with the folder's data key, wrapped by the application. For one thread at a time. */
final class DataKeyFile {

  static final String NAME = "key";

  private final Path file;

  /** The key that is not in the file yet. */
  private byte[] fresh;

  DataKeyFile(Path folder) {
    this.file = folder.resolve(NAME);
  }

  /**
   * The result of reading the key.
   *
   * @param cipher a cipher with the key, if the key can be unwrapped
   * @param fault why the key cannot be unwrapped; else empty
   */
  record Reading(Optional<BlockCipher> cipher, Optional<String> fault) {

    /** The folder is opened without a key. */
    static final Reading NOT_WANTED = new Reading(Optional.empty(), Optional.empty());

    private static Reading unusable(String fault) {
      return new Reading(Optional.empty(), Optional.of(fault));
    }
  }

  /**
   * Reads the key, or returns why it cannot be used.
   *
   * @throws UnusablePathException if the file cannot be read now, or the master key is not
   *     available
   */
  Reading read(KeyWrapper keys) throws UnusablePathException {
    Optional<byte[]> wrapped = OwnedPaths.read(file, KeyWrapper.MAX_WRAPPED_BYTES);
    if (wrapped.isEmpty()) {
      return Reading.unusable("it has no data key");
    }
    try {
      return unwrapped(keys, wrapped.get());
    } catch (GeneralSecurityException e) {
      // Throws if the master key is not available. Otherwise this data key is at fault.
      fresh(keys);
    }
    try {
      return unwrapped(keys, wrapped.get());
    } catch (GeneralSecurityException e) {
      return Reading.unusable(
          "its data key cannot be unwrapped, was the master key replaced? ("
              + e.getMessage()
              + ")");
    }
  }

  private static Reading unwrapped(KeyWrapper keys, byte[] wrapped)
      throws GeneralSecurityException {
    byte[] dataKey = keys.unwrap(wrapped.clone());
    return dataKey.length == BlockCipher.KEY_BYTES
        ? new Reading(Optional.of(cipher(dataKey)), Optional.empty())
        : Reading.unusable("its data key has " + dataKey.length + " bytes");
  }

  /**
   * Makes a new data key, to be written later: a folder is kept while no master key is there.
   *
   * @return a cipher with the key
   * @throws UnusablePathException if the application cannot wrap and unwrap it
   */
  BlockCipher fresh(KeyWrapper keys) throws UnusablePathException {
    byte[] dataKey = BlockCipher.newKey();
    try {
      byte[] wrapped = keys.wrap(dataKey.clone());
      if (!Arrays.equals(keys.unwrap(wrapped.clone()), dataKey)) {
        throw new KeyException("wrapping and unwrapping a key with the master key changed it");
      }
      fresh = wrapped;
      return cipher(dataKey);
    } catch (GeneralSecurityException e) {
      throw new FatalPathException(
          file.getParent(),
          "cannot be encrypted, its data key was not created (" + e.getMessage() + ")",
          "make HBase's master key available (hbase.crypto.keyprovider)",
          new IOException(e));
    }
  }

  /**
   * Writes the {@linkplain #fresh new} key, durably. A crash in between leaves a folder without a
   * superblock, which is started empty again.
   *
   * @throws UnusablePathException if the disk does not take it
   */
  void write() throws IOException {
    try {
      OwnedPaths.createIfAbsent(file);
      Files.write(file, fresh, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
      OwnedPaths.force(file.getParent());
    } catch (IOException e) {
      throw UnusablePathException.notWritten(file, e);
    }
  }

  private static BlockCipher cipher(byte[] dataKey) {
    try {
      return new BlockCipher(dataKey);
    } finally {
      Arrays.fill(dataKey, (byte) 0);
    }
  }
}
