// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Scan.ReadType;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.security.visibility.Authorizations;

/** Random scans and Gets of a {@link RandomTable}. */
final class RandomReads {

  private final Random random;
  private final RandomFilters filters;
  private final boolean isLabelled;

  RandomReads(Random random, boolean isLabelled, boolean hasMobs) {
    this.random = random;
    this.filters = new RandomFilters(random, hasMobs);
    this.isLabelled = isLabelled;
  }

  private boolean once(int in) {
    return random.nextInt(in) == 0;
  }

  private byte[] row() {
    return RandomTable.row(random.nextInt(RandomTable.ROWS));
  }

  private byte[] family() {
    return RandomTable.FAMILIES.get(random.nextInt(2));
  }

  private byte[] column() {
    return RandomTable.column(random.nextInt(RandomTable.COLUMNS));
  }

  /**
   * A scan.
   *
   * @param isStable whether it finds the same cells before and after a compaction, which drops
   *     versions that filters and ranges of time may find
   */
  Scan scan(boolean isStable) throws IOException {
    Scan scan = new Scan();
    boolean isReversed = once(4);
    scan.setReversed(isReversed);
    if (once(2)) {
      scan.withStartRow(row(), random.nextBoolean());
    }
    boolean isRaw = !isStable && once(12);
    scan.setRaw(isRaw);
    int columns = isRaw ? 0 : random.nextInt(5);
    for (int i = 0; i < columns; i++) {
      scan.addColumn(family(), column());
    }
    if (isReversed || once(2)) {
      // HBase refuses both together, even if its settings ask for it.
      scan.setLoadColumnFamiliesOnDemand(!isReversed && random.nextBoolean());
    }
    if (once(2)) {
      scan.readVersions(1 + random.nextInt(4));
    }
    if (!isStable && once(4)) {
      scan.setTimeRange(random.nextInt(300), 400L + random.nextInt(RandomTable.TIMESTAMPS));
    }
    if (!isStable && once(8)) {
      scan.setColumnFamilyTimeRange(family(), random.nextInt(500), RandomTable.TIMESTAMPS);
    }
    scan.setCaching(1 + random.nextInt(once(2) ? 4 : 50));
    scan.setCacheBlocks(!once(6));
    scan.setReadType(ReadType.values()[random.nextInt(ReadType.values().length)]);
    // Asynchronous prefetch is the client's alone: the same calls, and an Error in it hangs.
    scan.setAsyncPrefetch(false);
    scan.setAllowPartialResults(once(3));
    if (once(4)) {
      scan.setLimit(1 + random.nextInt(RandomTable.ROWS));
    }
    if (once(2)) {
      scan.setMaxResultSize(1L + random.nextInt(20_000));
    }
    if (once(8)) {
      scan.setMaxResultsPerColumnFamily(1 + random.nextInt(4));
      scan.setRowOffsetPerColumnFamily(random.nextInt(3));
    }
    // The ranges that some of HBase's filters skip to end elsewhere in a reversed scan, and it
    // loops.
    Filter filter = isStable || isReversed || once(2) ? null : filters.next();
    scan.setFilter(filter);
    // HBase allows none where a filter decides by whole rows.
    if (once(2) && (filter == null || !filter.hasFilterRow())) {
      scan.setBatch(1 + random.nextInt(6));
    }
    boolean isOnDemand =
        filter != null && !Boolean.FALSE.equals(scan.getLoadColumnFamiliesOnDemandValue());
    if (isOnDemand || (scan.getBatch() > 0 && scan.getLimit() > 0)) {
      // HBase's answer depends on where its calls end, with any cache, and cells count for more
      // bytes on the heap than off it.
      scan.setMaxResultSize(-1);
    }
    return (Scan) labelled(scan);
  }

  /** A Get. */
  Get get(boolean isStable) throws IOException {
    Get get = new Get(row());
    for (int i = random.nextInt(5); i > 0; i--) {
      get.addColumn(family(), column());
    }
    if (once(2)) {
      get.readVersions(1 + random.nextInt(4));
    }
    if (!isStable && once(4)) {
      get.setTimeRange(random.nextInt(300), 400L + random.nextInt(RandomTable.TIMESTAMPS));
    }
    if (!isStable && once(2)) {
      get.setFilter(filters.next());
    }
    get.setCacheBlocks(!once(6));
    return (Get) labelled(get);
  }

  private Query labelled(Query query) {
    List<String> labels = RandomTable.LABELS;
    return isLabelled && random.nextBoolean()
        ? query.setAuthorizations(new Authorizations(labels.subList(0, 1 + random.nextInt(2))))
        : query;
  }
}
