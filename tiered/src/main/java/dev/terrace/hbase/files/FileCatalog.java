// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static dev.terrace.hbase.files.StoreFileNames.physical;

import dev.terrace.api.CacheFile;
import dev.terrace.api.CacheFiles;
import dev.terrace.hbase.files.FileFacts.Completion;
import dev.terrace.hbase.files.FileFacts.Listing;
import dev.terrace.hbase.files.FileOrigin.Extent;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;

/**
 * Answers which region, table and family a file belongs to, and whether it is fully cached. Open
 * stores are authoritative; for other files it falls back on earlier scans, block keys, prefetches
 * and, after a restart, the log. Thread-safe.
 */
public final class FileCatalog {

  private final CacheFiles files;
  private final OpenFiles open;

  /** Files that may count for another table than before; some several times. */
  private final Queue<CacheFile> moved = new ConcurrentLinkedQueue<>();

  /**
   * Knows nothing yet.
   *
   * @param regions the region server's regions; none if the server is not known
   * @param nanoClock like {@link System#nanoTime}
   */
  public FileCatalog(
      CacheFiles files, Supplier<Stream<OnlineRegion>> regions, LongSupplier nanoClock) {
    this.files = files;
    this.open = new OpenFiles(files, regions, this::moved, nanoClock);
    files.whenRecovered(this::recovered);
  }

  /** A file may count for another table than before. */
  void moved(CacheFile file) {
    file.setOrigin(origin(file));
    moved.add(file);
  }

  /** Takes a file that may count for another table than before; null if there is none. */
  CacheFile pollMoved() {
    return moved.poll();
  }

  private void guess(CacheFile file, Owner owner) {
    if (FileFacts.of(file).guess(owner)) {
      moved(file);
    }
  }

  /**
   * The file that contains the blocks, as {@link CacheFiles#find} finds it.
   *
   * @param hfileName of a file, or of a link or reference to it
   */
  public CacheFile find(String hfileName) {
    return files.find(physical(hfileName));
  }

  /**
   * Holds the file of a block for a put, and records for which store it is cached.
   *
   * @param isWritten whether to keep the file from being forgotten between its blocks, until the
   *     next walk finds it or not
   */
  public CacheFile hold(BlockCacheKey key, boolean isWritten) {
    CacheFile file = files.hold(physical(key.getHfileName()), made -> read(made, key));
    read(file, key);
    return isWritten ? open.held(file) : file;
  }

  /** A region has opened: its files are known at once, and none of them leaves first. */
  public void opened(OnlineRegion region) {
    open.opened(region);
    region.files().forEach(file -> FileFacts.of(find(file.name())).isLeaving = false);
  }

  /**
   * Records what the trailer of a file that is read says: whether the file is encrypted. HBase
   * decrypts blocks before it caches them, so those of such files must not reach a device in plain
   * text. HBase shows the trailer before most reads, but neither before it reads an index block nor
   * while it writes the file; otherwise walks tell.
   */
  public void read(HFileInfo info) {
    boolean isEncrypted = info.getTrailer().getEncryptionKey() != null;
    CacheFile file = find(info.getHFileContext().getHFileName());
    if (file.isEncrypted() != isEncrypted) {
      open.held(file).setEncrypted(isEncrypted);
    }
  }

  /** Records a block's file as encrypted if the block says so. Not all blocks of such files do. */
  public static void offered(CacheFile file, Cacheable block) {
    if (block instanceof HFileBlock read) {
      Encryption.Context context = read.getHFileContext().getEncryptionContext();
      if (context != null && context != Encryption.Context.NONE) {
        file.setEncrypted(true);
      }
    }
  }

  /** Records the region for which a file is read, and its family, if the key has them. */
  public void read(CacheFile file, BlockCacheKey key) {
    // A file belongs to one region for life, unless that region splits: then its daughters read the
    // file, and it counts for the one that cached from it last.
    FileFacts facts = FileFacts.of(file);
    Owner guess = facts.guess;
    if (facts.listing.isNone()
        && (guess == null
            || guess.family() == null
            || StoreFileNames.isReference(key.getHfileName()))) {
      guess(file, Owner.of(key));
    }
  }

  /** Records that a file is rewritten into another one, by its only store. */
  void rewritten(CacheFile input, CacheFile output) {
    List<Owner> owners = owners(input);
    if (owners.size() == 1) {
      guess(output, owners.get(0));
    }
  }

  /** Records that the file's region closes for good, because it splits or merges. */
  public void replaced(CacheFile file) {
    if (!isShared(file)) {
      FileFacts.of(file).listing = new Listing(0, List.of());
    }
  }

  /**
   * Whether all regions that last had a file have given it up, or have split.
   *
   * @param gaveUp whether a region no longer reads what it does not list
   */
  boolean isGivenUp(CacheFile file, Predicate<String> gaveUp) {
    FileFacts facts = FileFacts.of(file);
    return !facts.isUnknown()
        && lastOwners(facts).stream().allMatch(owner -> gaveUp.test(owner.region()));
  }

  private static List<Owner> lastOwners(FileFacts facts) {
    Listing last = facts.listing;
    return last.isNone() ? Stream.ofNullable(facts.guess).toList() : owners(last.stores());
  }

  /**
   * The stores that a file counts for: those that read or write it; otherwise those that have
   * compacted it; otherwise those that had it last and are not open.
   */
  public List<Owner> owners(CacheFile file) {
    List<OpenStoreFile> stores = counted(file);
    if (!stores.isEmpty()) {
      return owners(stores);
    }
    FileFacts facts = FileFacts.of(file);
    List<Owner> last = lastOwners(facts);
    return facts.listing.isNone()
        ? last
        : last.stream().filter(owner -> !open.isOpen(owner.region())).toList();
  }

  /** The stores that had a file at the last walk. */
  List<Owner> storesOf(CacheFile file) {
    return owners(open.of(file));
  }

  private static List<Owner> owners(List<OpenStoreFile> stores) {
    return stores.stream().map(OpenStoreFile::owner).distinct().toList();
  }

  /** The stores that read or write a file, plain names first; otherwise those that compacted it. */
  private List<OpenStoreFile> counted(CacheFile file) {
    List<OpenStoreFile> stores = open.of(file);
    if (stores.size() < 2) {
      return stores;
    }
    List<OpenStoreFile> live =
        stores.stream()
            .filter(store -> store.stage() != Stage.COMPACTED)
            .sorted(Comparator.comparingInt(store -> store.listedName().length()))
            .toList();
    return live.isEmpty() ? stores : live;
  }

  /** The store that has the file itself, not a link or a reference to it; parts may be unknown. */
  public Owner owner(CacheFile file) {
    return owners(file).stream().findFirst().orElse(Owner.UNKNOWN);
  }

  /**
   * Whether several stores read all blocks of a file, as of the last walk. Each half of a split
   * file is read by one store.
   */
  public boolean isShared(CacheFile file) {
    return sharers(open.of(file)) > 1;
  }

  private static long sharers(List<OpenStoreFile> stores) {
    if (stores.size() < 2) {
      return stores.size();
    }
    return stores.stream()
        .map(store -> store.isHalf() ? store.listedName() : store.owner().toString())
        .distinct()
        .count();
  }

  /**
   * Whether another store reads a file that a store drops. Walks if that is due or several have it.
   */
  public boolean isReadElsewhere(CacheFile file) {
    return open.now().of(file).size() > 1
        && open.walk().of(file).stream().anyMatch(store -> store.stage() == Stage.OPEN);
  }

  /** As {@link #isReadElsewhere}, for one half of a split file. */
  public boolean isHalfReadElsewhere(CacheFile file) {
    if (open.now().of(file).size() < 2) {
      return false;
    }
    List<OpenStoreFile> stores = open.walk().of(file);
    List<OpenStoreFile> read =
        stores.stream().filter(store -> store.stage() == Stage.OPEN).toList();
    return read.stream().anyMatch(store -> !store.isHalf())
        || (!read.isEmpty() && sharers(stores) > 1);
  }

  /**
   * Records a completed prefetch.
   *
   * @param storeFile the path of the file, or of the reference to it
   */
  public void completed(Path storeFile, Extent extent) {
    String name = storeFile.getName();
    CacheFile file = find(name);
    FileFacts facts = FileFacts.of(file);
    Owner owner = Owner.of(storeFile);
    facts.guess(owner);
    facts.completions.put(name, new Completion(name, file, owner.region(), extent));
    moved(file);
  }

  /** Forgets the completed prefetch of a deleted reference. */
  public void deleted(String reference) {
    FileFacts.of(find(reference)).completions.remove(reference);
  }

  /** Forgets what is known of an evicted file, apart from the stores that had it. */
  public void evicted(CacheFile file) {
    FileFacts facts = FileFacts.of(file);
    facts.completions.clear();
    facts.guess = null;
    file.setOrigin(origin(file));
  }

  /**
   * Walks the files of the region server's stores, if that is due. Call it before an answer that
   * must be right.
   */
  public void learnOpenFiles() {
    open.now();
  }

  OpenFiles open() {
    return open;
  }

  /** The files that stores read and whose contents are known. Walks if that is due. */
  public Stream<OpenStoreFile> described() {
    OpenFiles now = open.now();
    return files.all().stream()
        .flatMap(file -> now.of(file).stream())
        .filter(file -> file.stage() == Stage.OPEN && file.traits() != null);
  }

  /** All tables and families that a file counts for; each is charged for the whole file. */
  public Set<Owner.Place> places(CacheFile file) {
    return owners(file).stream()
        .map(Owner::place)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  /**
   * The regions that a file counts for, each with its share of the file. That is the whole file or,
   * if the file was split, an equal part for each region that has a half and has not compacted it
   * yet; once all have compacted it, for each of them.
   */
  public Map<String, Double> regions(CacheFile file) {
    Map<String, Double> parts = new HashMap<>();
    owners(file).forEach(owner -> parts.put(owner.region(), 1.0));
    List<String> readers =
        counted(file).stream()
            .filter(OpenStoreFile::isHalf)
            .map(half -> half.owner().region())
            .distinct()
            .toList();
    readers.forEach(region -> parts.put(region, 1.0 / readers.size()));
    return parts;
  }

  /** The completed prefetch of a file, link or reference; null if there was none. */
  public Completion completion(String hfileName) {
    return FileFacts.of(find(hfileName)).completions.get(hfileName);
  }

  /** All completed prefetches. */
  public Stream<Completion> completions() {
    return files.all().stream().flatMap(file -> FileFacts.of(file).completions.values().stream());
  }

  private String origin(CacheFile file) {
    Owner owner = owner(file);
    Completion completion = FileFacts.of(file).completions.get(file.name());
    Extent extent = completion == null ? null : completion.extent();
    return owner.region() == null
        ? ""
        : new FileOrigin(owner.region(), owner.table(), extent).text();
  }

  /** Learns from the origin of a file that the log has recovered, unless more is known. */
  private void recovered(CacheFile file, String text) {
    FileOrigin origin = FileOrigin.parse(text);
    if (origin == null) {
      return;
    }
    FileFacts facts = FileFacts.of(file);
    synchronized (facts) {
      if (facts.guess == null) {
        facts.guess(new Owner(origin.region(), origin.table(), null));
      }
      if (origin.extent() != null) {
        facts.completions.putIfAbsent(
            file.name(), new Completion(file.name(), file, origin.region(), origin.extent()));
      }
    }
    moved(file);
  }
}
