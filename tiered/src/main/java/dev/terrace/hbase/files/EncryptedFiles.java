// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.CacheFile;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;

/**
 * Knows which store files are encrypted. HBase decrypts blocks before it caches them, so blocks of
 * such files must not reach a device in plain text.
 *
 * <p>A file's trailer says so. HBase shows the trailer before most reads, but neither before it
 * reads an index block nor while it writes the file; then the region server's open files are asked.
 * Where encryption is configured, a file counts as encrypted until its trailer was seen.
 * Thread-safe.
 */
public final class EncryptedFiles {

  private static final String SETTINGS = "hbase.crypto.";

  private final boolean isConfigured;
  private final FileCatalog known;

  /**
   * Knows no file yet.
   *
   * @param conf determines whether HBase can encrypt at all
   * @param known answers for files that the region server has open
   */
  public EncryptedFiles(Configuration conf, FileCatalog known) {
    // HBase has no default for these settings, and without one no family can be encrypted.
    this.isConfigured = !conf.getPropsWithPrefix(SETTINGS).isEmpty();
    this.known = known;
  }

  /** Records what the trailer of a file being read says. */
  public void read(HFileInfo file) {
    boolean isEncrypted = file.getTrailer().getEncryptionKey() != null;
    if (isConfigured || isEncrypted) {
      CacheFile read = known.open().held(known.find(file.getHFileContext().getHFileName()));
      FileFacts.of(read).isEncrypted = isEncrypted;
    }
  }

  /** Records a block's file as encrypted if the block says so. Not all blocks of such files do. */
  public void offered(CacheFile file, Cacheable block) {
    if (block instanceof HFileBlock read) {
      Encryption.Context context = read.getHFileContext().getEncryptionContext();
      if (context != null && context != Encryption.Context.NONE) {
        FileFacts.of(file).isEncrypted = true;
      }
    }
  }

  /** Whether a file is surely not encrypted: its blocks may be on a device in plain text. */
  public boolean isPlain(CacheFile file) {
    FileFacts facts = FileFacts.of(file);
    if (isConfigured && facts.isEncrypted == null) {
      known.learnOpenFiles();
    }
    return !Objects.requireNonNullElse(facts.isEncrypted, isConfigured);
  }
}
