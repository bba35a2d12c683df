// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Traits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * A region that the server has, with all files of its stores.
 *
 * @param name its encoded name; for a replica, that of the primary
 * @param isOpen whether it was still open when all files were listed. If not, it may have dropped
 *     files that it reads again soon.
 * @param files those that it writes or reads, or has compacted but not archived yet
 */
public record OnlineRegion(String name, boolean isOpen, List<OpenStoreFile> files) {

  /** A region as it is now. */
  public static OnlineRegion of(HRegion region) {
    List<OpenStoreFile> files = new ArrayList<>();
    region.getStores().forEach(store -> add(files, store));
    // A closing store lists no files any more. Its region reports the close before that.
    boolean isOpen = !region.isClosing() && !region.isClosed();
    return new OnlineRegion(name(region), isOpen, files);
  }

  private static String name(HRegion region) {
    return RegionReplicaUtil.getRegionInfoForDefaultReplica(region.getRegionInfo())
        .getEncodedName();
  }

  private static Owner owner(HStore store) {
    return new Owner(
        name(store.getHRegion()),
        store.getTableName().getNameWithNamespaceInclAsString(),
        store.getColumnFamilyDescriptor().getNameAsString());
  }

  /** Lists in the order in which a file moves, so none is missed between two lists. */
  private static void add(List<OpenStoreFile> files, HStore store) {
    Owner owner = owner(store);
    store
        .getStoreFilesBeingWritten()
        .forEach(path -> files.add(new OpenStoreFile(path.getName(), owner, Stage.WRITTEN, null)));
    add(files, store, owner, Stage.OPEN, store.getStorefiles());
    add(files, store, owner, Stage.COMPACTED, store.getCompactedFiles());
  }

  private static void add(
      List<OpenStoreFile> files,
      HStore store,
      Owner owner,
      Stage stage,
      Collection<HStoreFile> listed) {
    if (listed == null) {
      return;
    }
    for (HStoreFile file : listed) {
      Traits traits = traits(store, file);
      files.add(new OpenStoreFile(file.getPath().getName(), owner, stage, traits));
    }
  }

  private static Traits traits(HStore store, HStoreFile file) {
    ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
    StoreFileReader reader = file.getReader();
    FixedFileTrailer trailer = reader == null ? null : reader.getHFileReader().getTrailer();
    return trailer == null
        ? null
        : new Traits(
            family.isBlockCacheEnabled(),
            family.isInMemory(),
            trailer.getEncryptionKey() != null,
            family.isMobEnabled(),
            trailer.getTotalUncompressedBytes(),
            reader.getHFileReader().getFileContext().isCompressedOrEncrypted()
                ? store.getCacheConfig().shouldCacheCompressed(BlockCategory.DATA)
                : null);
  }

  /**
   * A file that a store of the region server has.
   *
   * @param listedName its name in the store's folder: that of a file, of a link or of a reference
   * @param owner the store
   * @param stage whether the store reads it, or is about to
   * @param traits the properties of its contents; null while it is written, opened or closed
   */
  public record OpenStoreFile(String listedName, Owner owner, Stage stage, Traits traits) {

    /** What the store does with a file. */
    public enum Stage {
      /** A flush or a compaction writes it. */
      WRITTEN,
      /** The store reads it. */
      OPEN,
      /** The file was compacted; earlier scanners may still read it. */
      COMPACTED
    }

    /**
     * The properties of a file and of its family.
     *
     * @param isBlockCacheEnabled whether the family's data is cached when it is read
     * @param isInMemory whether the family asks to be kept in memory
     * @param isEncrypted whether the file is encrypted
     * @param hasMob whether the family has MOB cells, whose files no store lists
     * @param uncompressedBytes of all its blocks
     * @param packs whether the store expects data blocks packed, as they are in the file; null if
     *     they have one form, because the file is neither compressed nor encrypted
     */
    public record Traits(
        boolean isBlockCacheEnabled,
        boolean isInMemory,
        boolean isEncrypted,
        boolean hasMob,
        long uncompressedBytes,
        Boolean packs) {}

    /** The name of the file that its blocks are in. */
    public String name() {
      return StoreFileNames.physical(listedName);
    }

    /** Where the file belongs. */
    public Owner.Place place() {
      return owner.place();
    }

    /** Whether the store reads data blocks in one form only, and this is the form. */
    public boolean expects(boolean packed) {
      return stage == Stage.OPEN && traits != null && Boolean.valueOf(packed).equals(traits.packs);
    }

    boolean isHalf() {
      return StoreFileNames.isReference(listedName);
    }
  }
}
