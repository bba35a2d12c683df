// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.files.FileObserver;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.slf4j.LoggerFactory;

/**
 * Finds files whose blocks are cached in a form that their readers cannot read. HBase does not
 * report it: after a change of {@code hbase.block.data.cachecompressed} a table's readers would get
 * the old form, and fail, for as long as it is cached.
 *
 * <p>Any thread may call any method.
 */
public final class FormWatch implements FileObserver {

  /*
   * A reader unpacks a block on the thread that looked it up, before its next lookup, and takes the
   * memory from the block's allocator. So the allocators of this class see it.
   *
   * Packed blocks cannot be read if a thread looks up a second one of a file without unpacking the
   * first. Nor can they if two were returned, one long after the other and both long ago, and
   * no thread has unpacked any of the file since, because another thread may serve a client's
   * retry. A pause of the process delays the thread that unpacks the first one, not the second.
   *
   * Unpacked blocks cannot be read if a reader unpacks one. From the first such case on each
   * thread's lookup is noted, and the second case names the file.
   *
   * A mistake costs misses until the next block of the file is cached in that form. A clone and its
   * source share files, and may want both forms: each would drop the other for ever. After some turns
   * the file's data blocks are misses for all.
   */

  /** From a lookup to the unpacking; the first pause of a client that tries again is longer. */
  private static final long LONGEST_START_NANOS = Duration.ofMillis(50).toNanos();

  /** Most files whose readers are watched. */
  static final int MOST_FILES = 1 << 14;

  /** A setting that changes makes one turn, or two. */
  static final int MOST_TURNS = 4;

  /** The readers of a file. */
  private static final class Readers {

    private static final long NONE = Long.MIN_VALUE;

    private final String file;

    /** When a packed block was handed out, if none was unpacked since. */
    private volatile long waitingSince = NONE;

    /** When one was handed out while the first was overdue. */
    private volatile long waitingAgainSince = NONE;

    private volatile boolean cannotReadPacked;
    private volatile boolean cannotReadUnpacked;

    /** How often a form was found that cannot be read. */
    private final AtomicInteger turns = new AtomicInteger();

    private Readers(String file) {
      this.file = file;
    }

    private boolean wantBothForms() {
      return turns.get() >= MOST_TURNS;
    }

    private void canReadPacked() {
      waitingSince = NONE;
      waitingAgainSince = NONE;
      cannotReadPacked = false;
    }
  }

  private final ConcurrentMap<String, Readers> files = new ConcurrentHashMap<>();
  private final LongSupplier nanoClock;
  private final RateLimitedLog log;

  /** The file of the block that the thread looked up last, and has not unpacked. */
  @SuppressWarnings("ThreadLocalUsage") // caches share nothing
  private final ThreadLocal<Readers> lookedUp = new ThreadLocal<>();

  /** Set once, by the first packed block, so that hits pay next to nothing where there is none. */
  private volatile boolean watching;

  /** Set once, by the first unpacked block that was to be unpacked. */
  private volatile boolean watchingUnpacked;

  public FormWatch(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.log = new RateLimitedLog(LoggerFactory.getLogger(FormWatch.class), nanoClock);
  }

  /**
   * Whether a block is as it is in its file, so that its cells cannot be read from it. HBase's test
   * kit makes blocks of neither form, which are as large on disk as unpacked, but for the header.
   */
  static boolean isPacked(Cacheable block) {
    return block instanceof HFileBlock hfileBlock
        && hfileBlock.getBlockType().isData()
        && !hfileBlock.isUnpacked()
        && hfileBlock.getOnDiskSizeWithHeader() - hfileBlock.headerSize()
            != hfileBlock.getUncompressedSizeWithoutHeader();
  }

  /** The allocator that packed blocks must have. */
  ByteBuffAllocator ofPacked() {
    return new Witness(this::unpackedPacked);
  }

  /** The allocator that all other blocks must have. */
  ByteBuffAllocator ofUnpacked() {
    return new Witness(this::unpackedUnpacked);
  }

  /** Notes that there are packed blocks. */
  void expectPacked() {
    if (!watching) {
      watching = true;
    }
  }

  /** The readers of the file can read the form of a block that they hand over. */
  @Override
  public void offered(BlockCacheKey key, Cacheable block) {
    Readers readers = watching ? files.get(key.getHfileName()) : null;
    if (readers == null) {
      return;
    }
    if (isPacked(block)) {
      readers.canReadPacked();
    } else if (block.getBlockType().isData()) {
      readers.cannotReadUnpacked = false;
    }
  }

  @Override
  public void evicting(String name) {
    files.remove(name);
  }

  /** Whether the current thread may have a block that it has looked up. */
  public boolean isReadable(String file, Cacheable block) {
    if (!watching) {
      return true;
    }
    if (isPacked(block)) {
      return isReadablePacked(readersOf(file));
    }
    if (!watchingUnpacked || !block.getBlockType().isData()) {
      return true;
    }
    Readers readers = readersOf(file);
    lookedUp.set(readers);
    return !readers.cannotReadUnpacked && !readers.wantBothForms();
  }

  /** HBase does not tell of the end of each file: what is known of too many is forgotten. */
  private Readers readersOf(String file) {
    Readers known = files.get(file);
    if (known != null) {
      return known;
    }
    if (files.size() >= MOST_FILES) {
      files
          .values()
          .removeIf(
              readers ->
                  !readers.cannotReadPacked
                      && !readers.cannotReadUnpacked
                      && !readers.wantBothForms());
      if (files.size() >= MOST_FILES / 2) {
        files.clear();
      }
    }
    return files.computeIfAbsent(file, Readers::new);
  }

  /** How many files are watched. */
  int watchedFiles() {
    return files.size();
  }

  private boolean isReadablePacked(Readers readers) {
    long now = nanoClock.getAsLong();
    if (!readers.cannotReadPacked && isOverdue(readers, now)) {
      readers.cannotReadPacked = true;
      warn(readers, "packed");
    }
    if (readers.cannotReadPacked || readers.wantBothForms()) {
      return false;
    }
    if (readers.waitingSince == Readers.NONE) {
      readers.waitingSince = now;
    } else if (readers.waitingAgainSince == Readers.NONE && isLong(readers.waitingSince, now)) {
      readers.waitingAgainSince = now;
    }
    lookedUp.set(readers);
    return true;
  }

  private boolean isOverdue(Readers readers, long now) {
    return (lookedUp.get() == readers && readers.waitingSince != Readers.NONE)
        || isLong(readers.waitingAgainSince, now);
  }

  private static boolean isLong(long since, long now) {
    return since != Readers.NONE && now - since > LONGEST_START_NANOS;
  }

  private void unpackedPacked() {
    Readers readers = lookedUp.get();
    if (readers != null) {
      lookedUp.remove();
      readers.canReadPacked();
    }
  }

  private void unpackedUnpacked() {
    if (!watchingUnpacked) {
      // What the thread looked up was not noted.
      watchingUnpacked = true;
      watching = true;
      return;
    }
    Readers readers = lookedUp.get();
    if (readers != null && !readers.cannotReadUnpacked) {
      readers.cannotReadUnpacked = true;
      warn(readers, "unpacked");
    }
  }

  private void warn(Readers readers, String form) {
    log.warn(
        readers.turns.incrementAndGet() < MOST_TURNS
            ? "Dropping the blocks of "
                + readers.file
                + " that are cached "
                + form
                + ", since its readers expect the other form: hbase.block.data.cachecompressed"
                + " changed"
            : "Data blocks of "
                + readers.file
                + " are not served: its readers want them packed and unpacked; give its table and"
                + " the clones of it one value of hbase.block.data.cachecompressed",
        null);
  }

  /**
   * Gives memory for the unpacked form of a block, and reports the request. On the heap: the cells
   * of that form may be kept, whatever the packed block lay in.
   */
  private static final class Witness extends ByteBuffAllocator {

    private final Runnable asked;

    Witness(Runnable asked) {
      super(false, 0, 0, 0);
      this.asked = asked;
    }

    @Override
    public ByteBuff allocate(int sizeBytes) {
      asked.run();
      return ByteBuffAllocator.HEAP.allocate(sizeBytes);
    }
  }
}
