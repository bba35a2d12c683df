// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;

/**
 * Which store files are encrypted. HBase decrypts blocks before it caches them, so the blocks of
 * such files must not reach a device in clear.
 *
 * <p>A file's trailer tells. HBase shows it before most reads, but neither before a block of the
 * index nor while a file is written; then the files that the region server has open tell it. Where
 * encryption is configured, a file counts as encrypted until its trailer was seen. Thread-safe.
 */
public final class EncryptedFiles implements FileObserver {

  /** More than a region server has open; what is forgotten is learned again. */
  private static final int MOST_FILES = 100_000;

  private static final String SETTINGS = "hbase.crypto.";

  private final boolean isConfigured;
  private final KnownFiles known;
  private final Map<String, Boolean> encrypted = new ConcurrentHashMap<>();

  /**
   * No files at first.
   *
   * @param conf tells whether HBase can encrypt at all
   * @param known tells of files that the region server has open
   */
  public EncryptedFiles(Configuration conf, KnownFiles known) {
    // HBase's defaults have no such setting, and a family cannot be encrypted without one.
    this.isConfigured = !conf.getPropsWithPrefix(SETTINGS).isEmpty();
    this.known = known;
  }

  /** Records what the trailer of a file that is read says. */
  public void read(HFileInfo file) {
    record(
        StoreFileNames.physical(file.getHFileContext().getHFileName()),
        file.getTrailer().getEncryptionKey() != null);
  }

  /** Records that a block comes from an encrypted file, if it says so; not all of them do. */
  @Override
  public void offered(BlockCacheKey key, Cacheable block) {
    if (block instanceof HFileBlock read) {
      Encryption.Context context = read.getHFileContext().getEncryptionContext();
      if (context != null && context != Encryption.Context.NONE) {
        record(StoreFileNames.physical(key.getHfileName()), true);
      }
    }
  }

  private void record(String file, boolean isEncrypted) {
    if ((isEncrypted || isConfigured) && !encrypted.containsKey(file)) {
      if (encrypted.size() >= MOST_FILES) {
        encrypted.clear();
      }
      encrypted.put(file, isEncrypted);
    }
  }

  /** Whether a file is known to be plain: its blocks may lie on a device in clear. */
  public boolean isPlain(String file) {
    if (isConfigured && !encrypted.containsKey(file)) {
      known.isEncrypted(file).ifPresent(isEncrypted -> record(file, isEncrypted));
    }
    return !encrypted.getOrDefault(file, isConfigured);
  }

  @Override
  public void evicting(String name) {
    encrypted.remove(name);
  }
}
