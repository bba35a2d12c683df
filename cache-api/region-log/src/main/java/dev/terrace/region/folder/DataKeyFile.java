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

/** The file with the folder's data key, wrapped by the application. For one thread at a time. */
final class DataKeyFile {

  static final String NAME = "key";

  private final Path file;
  private final KeyWrapper keys;

  /** The key that is not in the file yet. */
  private byte[] fresh;

  DataKeyFile(Path folder, KeyWrapper keys) {
    this.file = folder.resolve(NAME);
    this.keys = keys;
  }

  /**
   * Reads the key.
   *
   * @return a cipher with the key
   * @throws UnusablePathException if the file cannot be read now, or the master key is not
   *     available
   * @throws KeyException if the key cannot be used, with the reason
   */
  BlockCipher read() throws UnusablePathException, KeyException {
    byte[] dataKey =
        unwrapped(
            OwnedPaths.read(file, KeyWrapper.MAX_WRAPPED_BYTES)
                .orElseThrow(() -> new KeyException("it has no data key")));
    if (dataKey.length != BlockCipher.KEY_BYTES) {
      throw new KeyException("its data key has " + dataKey.length + " bytes");
    }
    return cipher(dataKey);
  }

  private byte[] unwrapped(byte[] wrapped) throws UnusablePathException, KeyException {
    try {
      return keys.unwrap(wrapped.clone());
    } catch (GeneralSecurityException e) {
      // Throws if the master key is not available. Otherwise this data key is at fault.
      BlockCipher unused = fresh();
    }
    try {
      return keys.unwrap(wrapped.clone());
    } catch (GeneralSecurityException e) {
      throw new KeyException(
          "its data key cannot be unwrapped, was the master key replaced? ("
              + e.getMessage()
              + ")");
    }
  }

  /**
   * Makes a new data key, to be written later: a folder is kept while no master key is there.
   *
   * @return a cipher with the key
   * @throws UnusablePathException if the application cannot wrap and unwrap it
   */
  BlockCipher fresh() throws UnusablePathException {
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
