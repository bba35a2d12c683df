// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.blocks;

import dev.terrace.hbase.files.HBaseThreads;
import java.lang.ref.WeakReference;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.security.visibility.VisibilityLabelServiceManager;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Decides which lookups may be answered from memory that is reused after the release: those of
 * calls for which it is proven that no cell outlives them.
 *
 * <p>It is proven for Gets, batches of Gets alone, and forward scans whose request opens and closes
 * the scanner: without a filter, and in regions that only HBase's own code observes. Any other
 * lookup may keep cells, even that of a client's scan.
 */
final class CopyFreeReads {

  /** Compactions, chores, and threads of coprocessors. */
  static final String NO_CALL = "no_call";

  /** Calls that write, and batches with other actions than Gets. */
  static final String OTHER_CALL = "other_call";

  /** Scans that go on after their call, or go backwards. */
  static final String SCANNER = "scanner";

  static final String FILTER = "filter";

  /** The region is of a class that is not HBase's own, or not open. */
  static final String REGION = "region";

  /** Followed by the observer's class. */
  static final String OBSERVER = "observer ";

  /*
   * The proof, read in HBase 2.5 to 4.0.0-alpha-1 (RSRpcServices, StoreScanner, KeyValueHeap,
   * HFileReaderImpl).
   *
   * 1. Such a call creates its scanners itself, and its callback closes them. ServerCall runs that
   *    callback once the response is in buffers of its own, or has failed. Nothing reaches the
   *    scanners afterwards: if one is left open, no client knows its number.
   * 2. Until then they release no block that a cell came from. HFileScannerImpl keeps each block
   *    that it leaves (prevBlocks), and releases those blocks in shipped() and close().
   *    StoreScanner and KeyValueHeap put the scanners that they close until then into
   *    scannersForDelayedClose. Only a call that leaves its scanner open runs shipped(), or changes
   *    from pread to a stream.
   * 3. The exception is a step backwards: HFileScannerImpl.seekBefore keeps the first key of a
   *    block that it has released. So reversed scans are not proven.
   * 4. No other code sees the cells: no observer, no filter, no other class of region. What HBase's
   *    own observers keep of a Get (labels, permissions) they keep in its filter, which ends with
   *    the Get. VisibilityController hands each cell to its label service, which must be HBase's
   *    own, too.
   *
   * The regions of a batch are resolved one after the other, while an alter may bring an observer
   * to one of them. So a batch is examined again once one of its regions has closed or has another
   * host. An observer that update_config adds between the last lookup of a call and its end sees
   * what was read before.
   *
   * Why a scan of several calls is not proven: StoreFileScanner.requestSeek stands on a key that is
   * in another file's block, and StoreScanner.shipped copies the cells of its current row, but not
   * these.
   */

  /**
   * The result for a request, so that each is examined once.
   *
   * @param reason why it is not proven; null if it is
   * @param batch the regions that it depends on, where they may change during the call
   */
  private record Verdict(
      WeakReference<Message> request, String reason, List<ExaminedRegion> batch) {

    boolean holdsFor(Message current) {
      boolean holds = request.refersTo(current);
      for (int i = 0; holds && i < batch.size(); i++) {
        holds = batch.get(i).isUnchanged();
      }
      return holds;
    }
  }

  /** A region with the host of its coprocessors, neither of them kept from garbage collection. */
  private record ExaminedRegion(
      WeakReference<HRegion> region, WeakReference<RegionCoprocessorHost> host) {

    ExaminedRegion(HRegion region, RegionCoprocessorHost host) {
      this(new WeakReference<>(region), new WeakReference<>(host));
    }

    boolean isUnchanged() {
      HRegion now = region.get();
      return now != null && !now.isClosed() && host.refersTo(now.getCoprocessorHost());
    }
  }

  private static final String HBASE_PACKAGE = "org.apache.hadoop.hbase.";
  private static final String SERVER_JAR = jarOf(HRegion.class);
  private static final ClassValue<Boolean> HBASES =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return SERVER_JAR != null
              && SERVER_JAR.equals(jarOf(type))
              && type.getName().startsWith(HBASE_PACKAGE);
        }
      };

  private static final ThreadLocal<Verdict> LAST = new ThreadLocal<>();

  /*
   * A server that Terrace was not told of is noticed by its first call that puts a block or misses
   * one, or by HBase's first put ahead of a read. Before that, no call can hit a block: a cache
   * that may find blocks on its paths examines every lookup from the start.
   */

  private final Supplier<Optional<HRegionServer>> server;
  private volatile boolean examines;
  private volatile boolean isServing;

  /**
   * Examines reads of a server, once it is known.
   *
   * @param startsEmpty whether all blocks are put after this
   */
  CopyFreeReads(Supplier<Optional<HRegionServer>> server, boolean startsEmpty) {
    this.server = server;
    this.examines = !startsEmpty;
  }

  /** Called before a region server's threads may look blocks up outside a call. */
  void startServing() {
    isServing = true;
    examines = true;
  }

  /** Called at a miss or a put of a cache that serves no known server. */
  void recordCaller(boolean isAhead) {
    if (!examines && (isAhead || HBaseThreads.request() != null)) {
      examines = true;
    }
  }

  /** Why the current thread's lookup is not proven; null if it is, or if nothing is served. */
  String reasonAgainstCurrent() {
    if (!examines) {
      return null;
    }
    Message request = HBaseThreads.request();
    if (request == null) {
      return isServing ? NO_CALL : null;
    }
    Verdict last = LAST.get();
    if (last == null || !last.holdsFor(request)) {
      // Some server uses the cache, even if Terrace was not told which.
      startServing();
      List<ExaminedRegion> batch =
          request instanceof MultiRequest ? new ArrayList<>() : Collections.emptyList();
      String reason = reasonAgainst(request, batch);
      last = new Verdict(new WeakReference<>(request), reason, batch);
      LAST.set(last);
    }
    return last.reason;
  }

  /**
   * Why a request is not proven; null if it is.
   *
   * @param batch receives the regions of a batch
   */
  private String reasonAgainst(Message request, List<ExaminedRegion> batch) {
    if (request instanceof GetRequest get) {
      return get.getGet().hasFilter() ? FILTER : reasonIn(get.getRegion(), null);
    }
    if (request instanceof MultiRequest multi) {
      String reason = null;
      for (int i = 0; reason == null && i < multi.getRegionActionCount(); i++) {
        reason = reasonAgainst(multi.getRegionAction(i), batch);
      }
      return reason;
    }
    if (!(request instanceof ScanRequest scan)) {
      return OTHER_CALL;
    }
    if (!scan.hasScan() || !scan.getCloseScanner() || scan.getScan().getReversed()) {
      return SCANNER;
    }
    return scan.getScan().hasFilter() ? FILTER : reasonIn(scan.getRegion(), null);
  }

  private String reasonAgainst(RegionAction actions, List<ExaminedRegion> batch) {
    if (actions.hasCondition() || actions.getAtomic()) {
      return OTHER_CALL;
    }
    for (Action action : actions.getActionList()) {
      if (!action.hasGet()) {
        return OTHER_CALL;
      }
      if (action.getGet().hasFilter()) {
        return FILTER;
      }
    }
    return reasonIn(actions.getRegion(), batch);
  }

  /** Runs for every Get. No streams: a new JVM would take long to compile them. */
  private String reasonIn(RegionSpecifier specifier, List<ExaminedRegion> batch) {
    HRegionServer known = server.get().orElse(null);
    HRegion region = known == null ? null : known.getRegion(nameOf(specifier));
    RegionCoprocessorHost host = region == null ? null : region.getCoprocessorHost();
    if (host == null || !isHBases(region.getClass())) {
      return REGION;
    }
    if (batch != null) {
      batch.add(new ExaminedRegion(region, host));
    }
    for (RegionCoprocessor coprocessor : host.findCoprocessors(RegionCoprocessor.class)) {
      if (coprocessor.getRegionObserver().isPresent()) {
        Class<?> observer = observerIn(coprocessor);
        if (!isHBases(observer)) {
          return OBSERVER + observer.getName();
        }
      }
    }
    return null;
  }

  /** The class of the code that sees an observer's cells. */
  private static Class<?> observerIn(RegionCoprocessor coprocessor) {
    return coprocessor.getClass() == VisibilityController.class
        ? VisibilityLabelServiceManager.getInstance().getVisibilityLabelService().getClass()
        : coprocessor.getClass();
  }

  private static String nameOf(RegionSpecifier region) {
    return region.getType() == RegionSpecifierType.ENCODED_REGION_NAME
        ? region.getValue().toStringUtf8()
        : RegionInfo.encodeRegionName(region.getValue().toByteArray());
  }

  /**
   * Whether a class is part of HBase's server: from its jar, since others put coprocessors into
   * HBase's package, and in its package, since a fork may pack everything into one jar.
   */
  static boolean isHBases(Class<?> type) {
    return HBASES.get(type);
  }

  private static String jarOf(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null ? null : source.getLocation().toString();
  }
}
