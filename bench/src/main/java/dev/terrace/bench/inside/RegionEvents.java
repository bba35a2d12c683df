// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.inside;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/**
 * A coprocessor that counts halves of files that a split left, and has compactions fail: in the
 * middle, after half as many bytes as one reads, or at the end. One that is to fail takes the file
 * {@value #MARKER} out of the server's temporary folder.
 */
public final class RegionEvents implements RegionCoprocessor, RegionObserver {

  /** One file is one compaction that fails. */
  public static final String MARKER = "fail-a-compaction";

  private static final LongAdder HALVES = new LongAdder();

  /** How often this process opened a half of a file. */
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
