// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.inside;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/**
 * A coprocessor whose JMX bean reports what its region server holds according to HBase, not to
 * Terrace.
 */
@CoreCoprocessor
public final class ServerContents implements RegionServerCoprocessor {

  @Override
  @SuppressWarnings({"rawtypes", "deprecation"})
  public void start(CoprocessorEnvironment environment) throws IOException {
    RegionServerServices server = ((HasRegionServerServices) environment).getRegionServerServices();
    try {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new Contents(server), new ObjectName(ServerContentsMXBean.NAME));
    } catch (JMException e) {
      throw new IOException("the bean of a server's contents cannot be registered", e);
    }
  }

  public interface ServerContentsMXBean {

    String NAME = "dev.terrace.bench:type=ServerContents";

    /**
     * The number of stores that have a file open, by the name of the file that holds its blocks.
     */
    Map<String, Long> getOpenFiles();

    Map<String, Long> getCachedBlocks();

    /**
     * Buffers that HBase took from its pool and has not returned, less those that HBase itself
     * leaks: one for each half of a file that it closes, because it does not close the scanner that
     * it seeks with.
     */
    int getLostBuffers();

    /** The bytes that the live threads have allocated on the heap since each started. */
    long getAllocatedBytes();
  }

  private record Contents(RegionServerServices server) implements ServerContentsMXBean {

    @Override
    public Map<String, Long> getOpenFiles() {
      return counts(
          server.getRegions().stream()
              .flatMap(region -> region.getStores().stream())
              .flatMap(store -> store.getStorefiles().stream()),
          file -> ofBlocks(((StoreFile) file).getPath().getName()));
    }

    @Override
    public Map<String, Long> getCachedBlocks() {
      return server
          .getBlockCache()
          .map(cache -> StreamSupport.stream(cache.spliterator(), false))
          .map(blocks -> counts(blocks, block -> ofBlocks(block.getFilename())))
          .orElse(Map.of());
    }

    @Override
    public int getLostBuffers() {
      ByteBuffAllocator pool = server.getRpcServer().getByteBuffAllocator();
      // The first count covers all buffers ever created.
      int away = pool.getUsedBufferCount() - pool.getFreeBufferCount();
      return Math.max(0, away - RegionEvents.halvesOpened());
    }

    @Override
    public long getAllocatedBytes() {
      ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
      return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
          .filter(bytes -> bytes > 0)
          .sum();
    }
  }

  private static <T> Map<String, Long> counts(Stream<T> all, Function<T, String> name) {
    return all.collect(Collectors.groupingBy(name, TreeMap::new, Collectors.counting()));
  }

  /**
   * The name of the file that holds the blocks of a file, of a reference to half of it, or of a
   * link to it.
   */
  private static String ofBlocks(String name) {
    String whole =
        StoreFileInfo.isReference(name) ? name.substring(0, name.lastIndexOf('.')) : name;
    return HFileLink.isHFileLink(whole) ? HFileLink.getReferencedHFileName(whole) : whole;
  }

  /**
   * A coprocessor that counts the halves of files that a split left, and makes compactions fail: in
   * the middle, after half the bytes that they read, or at the end. A compaction that is to fail
   * removes the file {@value #MARKER} from the server's temporary folder.
   */
  public static final class RegionEvents implements RegionCoprocessor, RegionObserver {

    /** Each such file makes one compaction fail. */
    public static final String MARKER = "fail-a-compaction";

    private static final LongAdder HALVES = new LongAdder();

    /** How often this process has opened half of a file. */
    static int halvesOpened() {
      return HALVES.intValue();
    }

    @Override
    @SuppressWarnings("deprecation")
    public StoreFileReader preStoreFileReaderOpen(
        ObserverContext<RegionCoprocessorEnvironment> region,
        FileSystem files,
        org.apache.hadoop.fs.Path path,
        FSDataInputStreamWrapper in,
        long size,
        CacheConfig caching,
        Reference half,
        StoreFileReader reader) {
      if (half != null) {
        HALVES.increment();
      }
      return reader;
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preCompact(
        ObserverContext<RegionCoprocessorEnvironment> region,
        Store store,
        InternalScanner scanner,
        ScanType type,
        CompactionLifeCycleTracker tracker,
        CompactionRequest request)
        throws IOException {
      Path marker = Path.of(System.getProperty("java.io.tmpdir"), MARKER);
      return Files.deleteIfExists(marker) ? failing(scanner, request.getSize() / 2) : scanner;
    }

    private static InternalScanner failing(InternalScanner scanner, long afterBytes) {
      return new InternalScanner() {

        private long bytes;

        @Override
        public boolean next(List<Cell> cells, ScannerContext limits) throws IOException {
          int before = cells.size();
          boolean hasMore = scanner.next(cells, limits);
          bytes += cells.stream().skip(before).mapToLong(Cell::getSerializedSize).sum();
          if (bytes > afterBytes || !hasMore) {
            throw new IOException("this compaction was made to fail");
          }
          return true;
        }

        @Override
        public void close() throws IOException {
          scanner.close();
        }
      };
    }
  }
}
