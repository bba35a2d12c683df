// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import dev.terrace.api.CacheFile;
import dev.terrace.hbase.files.FileOrigin.Extent;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import dev.terrace.region.files.FileRules.FileOrigins;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/**
 * Maps files to region, table and family, and records which are fully cached. Open stores are
 * authoritative; for other files it falls back on earlier scans, block keys, prefetches and, after
 * a restart, the log. Thread-safe.
 */
public final class FileCatalog implements FileOrigins {

  /** A file, or a reference to a part of one, that was fully cached. */
  public record Completion(String file, String region, Extent extent) {}

  /**
   * The last known stores of a file, for the time when no store has it.
   *
   * @param owners none if the last one split or merged
   * @param isGuess whether they come from a key or the log: right unless the file is read by a link
   */
  private record Home(List<Owner> owners, boolean isGuess) {

    static Home guess(Owner owner) {
      return new Home(List.of(owner), true);
    }

    Owner first() {
      return owners.get(0);
    }
  }

  private final Map<String, Home> homes = new ConcurrentHashMap<>();
  private final Map<String, Completion> completions = new ConcurrentHashMap<>();
  private final OpenFiles open;

  /**
   * Knows nothing yet.
   *
   * @param regions the region server's regions; none if the server is not known
   * @param nanoClock like {@link System#nanoTime}
   */
  public FileCatalog(Supplier<Stream<OnlineRegion>> regions, LongSupplier nanoClock) {
    this.open = new OpenFiles(regions, nanoClock);
  }

  /** Records the region for which a file is read, and its family, if the key has them. */
  public void read(String file, BlockCacheKey key) {
    // A file belongs to one region for life, unless that region splits: then its daughters read the
    // file, and it counts for the one that cached from it last.
    Home home = homes.get(file);
    if (home == null
        || (home.isGuess()
            && (home.first().family() == null || StoreFileNames.isReference(key.getHfileName())))) {
      guess(file, KeyRegions.owner(key));
    }
  }

  /** Guesses a file's current owner, whose unknown parts are null. */
  private void guess(String file, Owner owner) {
    if (owner.region() != null) {
      homes.merge(
          file,
          Home.guess(owner),
          (before, now) -> before.isGuess() ? Home.guess(owner.or(before.first())) : before);
    }
  }

  /** Records that a file is rewritten into another one, by its only store. */
  void rewritten(String input, String output) {
    List<Owner> owners = owners(input);
    if (owners.size() == 1) {
      guess(output, owners.get(0));
    }
  }

  /** Records the stores that have a file. */
  void listed(String file, List<OpenStoreFile> stores) {
    homes.put(file, new Home(owners(stores), false));
  }

  /** Records that the file's region closes for good, because it splits or merges. */
  public void replaced(String file) {
    if (!isShared(file)) {
      homes.put(file, new Home(List.of(), false));
    }
  }

  /**
   * Whether all regions that last had a file have given it up, or have split.
   *
   * @param gaveUp whether a region no longer reads what it does not list
   */
  boolean isGivenUp(String file, Predicate<String> gaveUp) {
    Home home = homes.get(file);
    return home != null && home.owners.stream().allMatch(owner -> gaveUp.test(owner.region()));
  }

  /**
   * The stores that a file counts for: those that read or write it; otherwise those that have
   * compacted it; otherwise those that had it last and are not open.
   */
  public List<Owner> owners(String file) {
    List<OpenStoreFile> stores = counted(file);
    if (stores.isEmpty()) {
      Home home = homes.get(file);
      if (home == null || home.isGuess) {
        return home == null ? List.of() : home.owners;
      }
      return home.owners.stream().filter(owner -> !open.isOpenLately(owner.region())).toList();
    }
    return owners(stores);
  }

  /** The stores that had a file at the last walk. */
  List<Owner> storesOf(String file) {
    return owners(open.lately(file));
  }

  private static List<Owner> owners(List<OpenStoreFile> stores) {
    return stores.stream().map(OpenStoreFile::owner).distinct().toList();
  }

  /** The stores that read or write a file, plain names first; otherwise those that compacted it. */
  private List<OpenStoreFile> counted(String file) {
    List<OpenStoreFile> stores = open.lately(file);
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

  /** The store that has the file itself, not a link or a reference to it, if it is known. */
  private Owner owner(String file) {
    return owners(file).stream().findFirst().orElse(Owner.UNKNOWN);
  }

  /**
   * Whether several stores read all blocks of a file, as of the last walk. Each half of a split
   * file is read by one store.
   */
  public boolean isShared(String file) {
    return sharers(open.lately(file)) > 1;
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
  public boolean isReadElsewhere(String file) {
    return open.now().of(file).size() > 1
        && open.walk().of(file).stream().anyMatch(store -> store.stage() == Stage.OPEN);
  }

  /** As {@link #isReadElsewhere}, for one half of a split file. */
  public boolean isHalfReadElsewhere(String file) {
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
    String file = StoreFileNames.physical(name);
    Owner owner = KeyRegions.owner(storeFile);
    guess(file, owner);
    completions.put(name, new Completion(file, owner.region(), extent));
  }

  /** Forgets a deleted file or reference. */
  public void evicted(String name) {
    completions.remove(name);
    homes.remove(name);
  }

  /**
   * Walks the files of the region server's stores, if that is due. Call it before an answer that
   * must be right.
   */
  public void learnOpenFiles() {
    open.now();
  }

  /** The files of the stores. Walks if that is due. */
  OpenFiles.Found openNow() {
    return open.now();
  }

  /** The files of the stores now. Always walks. */
  OpenFiles.Found walk() {
    return open.walk();
  }

  /** The files that stores read and whose contents are known. Walks if that is due. */
  public Stream<OpenStoreFile> described() {
    return open.now().all().stream()
        .flatMap(List::stream)
        .filter(file -> file.stage() == Stage.OPEN && file.traits() != null);
  }

  /** Whether a file is encrypted, according to a store that has it. Walks for an unknown file. */
  Optional<Boolean> isEncrypted(String file) {
    return open.of(file).stream()
        .map(OpenStoreFile::traits)
        .filter(Objects::nonNull)
        .findFirst()
        .map(OpenStoreFile.Traits::isEncrypted);
  }

  /** The encoded name of a file's region; null if it is unknown. */
  public String region(String file) {
    return owner(file).region();
  }

  /** The name of a file's table, with its namespace; null if it is unknown. */
  public String table(String file) {
    return owner(file).table();
  }

  /** A file's table and family; null if the table is unknown. */
  public Owner.Place place(String file) {
    return owner(file).place();
  }

  /** All tables and families that a file counts for; each is charged for the whole file. */
  public Set<Owner.Place> places(String file) {
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
  public Map<String, Double> regions(String file) {
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

  /** The completed prefetch of a file or reference; null if there was none. */
  public Completion completion(String name) {
    return completions.get(name);
  }

  /** The completed prefetches, by the name of the file or reference. */
  public Map<String, Completion> completions() {
    return new HashMap<>(completions);
  }

  /** Forgets files that are no longer resident. */
  public void retain(Predicate<String> isResident) {
    completions.values().removeIf(completion -> !isResident.test(completion.file));
    homes.keySet().removeIf(file -> !isResident.test(file));
  }

  @Override
  public String originOf(CacheFile cached) {
    String file = cached.name();
    if (!homes.containsKey(file)) {
      open.of(file);
    }
    Owner owner = owner(file);
    Completion completion = completions.get(file);
    Extent extent = completion == null ? null : completion.extent;
    return owner.region() == null
        ? ""
        : new FileOrigin(owner.region(), owner.table(), extent).text();
  }

  @Override
  public void recovered(CacheFile cached, String text) {
    String file = cached.name();
    FileOrigin origin = FileOrigin.parse(text);
    if (origin == null) {
      return;
    }
    homes.putIfAbsent(file, Home.guess(new Owner(origin.region(), origin.table(), null)));
    if (origin.extent() != null) {
      completions.putIfAbsent(file, new Completion(file, origin.region(), origin.extent()));
    }
  }

  /**
   * Extracts the store from a block's key, if the key has it. Keys carry the region's name from
   * 2.6.5 on and the family's from 2.6.6 on; earlier keys carry the file's path, and in 2.5
   * nothing.
   */
  static final class KeyRegions {

    private static final Method REGION_NAME = getter("getRegionName");
    private static final Method FAMILY_NAME = getter("getCfName");
    private static final Method FILE_PATH = getter("getFilePath");

    /** The directory in a region's, in which HBase writes new files. */
    private static final String BEING_WRITTEN = ".tmp";

    private KeyRegions() {}

    /** The getter of this name; null if this HBase's keys have none. */
    private static Method getter(String name) {
      try {
        return BlockCacheKey.class.getMethod(name);
      } catch (NoSuchMethodException e) {
        return null;
      }
    }

    private static Object get(Method getter, BlockCacheKey key) {
      try {
        return getter.invoke(key);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("BlockCacheKey." + getter.getName() + " failed", e);
      }
    }

    /** The store that a key names; unknown parts are null. */
    static Owner owner(BlockCacheKey key) {
      Owner ofPath = owner(FILE_PATH == null ? null : (Path) get(FILE_PATH, key));
      String region = REGION_NAME == null ? ofPath.region() : (String) get(REGION_NAME, key);
      return new Owner(
          BEING_WRITTEN.equals(region) ? null : region,
          ofPath.table(),
          FAMILY_NAME == null ? ofPath.family() : (String) get(FAMILY_NAME, key));
    }

    /** The store in whose directory a file is; unknown parts are null. */
    static Owner owner(Path storeFile) {
      Path family = parent(storeFile);
      Path directory = parent(family);
      Path region = BEING_WRITTEN.equals(name(directory)) ? parent(directory) : directory;
      Path table = parent(region);
      Path namespace = parent(table);
      boolean hasTable = namespace != null && name(table) != null;
      return new Owner(
          name(region),
          hasTable ? namespace.getName() + ":" + table.getName() : null,
          name(family));
    }

    private static Path parent(Path path) {
      return path == null ? null : path.getParent();
    }

    /** Null if there is no directory, or for the root. */
    private static String name(Path directory) {
      return directory == null || directory.getName().isEmpty() ? null : directory.getName();
    }
  }
}
