// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

/**
 * A file that a store of the region server has.
 *
 * @param listedName its name in the store's folder: that of a file, of a link or of a reference
 * @param owner the store
 * @param stage whether the store reads it, or is about to
 * @param traits what is known of its contents; null while it is written, opened or closed
 */
public record OpenStoreFile(String listedName, Owner owner, Stage stage, Traits traits) {

  /** What the store does with a file. */
  public enum Stage {
    /** A flush or a compaction writes it. */
    WRITTEN,
    /** The store reads it. */
    OPEN,
    /** It was compacted; scanners that began before may read it. */
    COMPACTED
  }

  /**
   * The properties of a file and of its family.
   *
   * @param isBlockCacheEnabled whether the family's data is cached when it is read
   * @param isInMemory whether the family asks to be kept in memory
   * @param isEncrypted whether the file is encrypted
   * @param hasMob whether the family has MOB cells, whose files are in no list
   * @param uncompressedBytes all of its blocks
   */
  public record Traits(
      boolean isBlockCacheEnabled,
      boolean isInMemory,
      boolean isEncrypted,
      boolean hasMob,
      long uncompressedBytes) {}

  /** The name of the file that its blocks are in. */
  public String name() {
    return StoreFileNames.physical(listedName);
  }

  /** Where the file belongs. */
  public Owner.Place place() {
    return owner.place();
  }

  boolean isHalf() {
    return StoreFileNames.isReference(listedName);
  }
}
