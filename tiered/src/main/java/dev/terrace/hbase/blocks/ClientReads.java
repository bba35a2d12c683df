/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.hbase.blocks;

import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.OpenScanners;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Tells which lookups are for a Get or a Scan of a client. HBase keeps the blocks of those until
 * the response is sent. All other reads inside a region server are for code that may keep cells
 * longer: writes and the coprocessors in them, endpoints, compactions, chores. So are all reads of
 * a region that other observers than HBase's own watch: these write in the middle of scans, and
 * close scanners before their rows are sent (Phoenix does both).
 */
final class ClientReads {

  /** What was found of a request, so that it is looked at once. */
  private record Verdict(WeakReference<Message> request, boolean isClients) {}

  private static final String HBASE = "org.apache.hadoop.hbase.";

  private static final ThreadLocal<Verdict> LAST = new ThreadLocal<>();

  private final Supplier<Optional<HRegionServer>> server;

  /** Reads in a server, once it is known. */
  ClientReads(Supplier<Optional<HRegionServer>> server) {
    this.server = server;
  }

  /** Whether the current thread reads for a client; true in a process without region server. */
  boolean isOne() {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (call == null) {
      return server.get().isEmpty();
    }
    Message request = call.getParam();
    Verdict known = LAST.get();
    if (known == null || !known.request.refersTo(request)) {
      known = new Verdict(new WeakReference<>(request), isClients(request));
      LAST.set(known);
    }
    return known.isClients;
  }

  private boolean isClients(Message request) {
    HRegionServer known = server.get().orElse(null);
    if (request instanceof GetRequest get) {
      return known == null || isOfUnwatched(known, nameOf(get.getRegion()));
    }
    if (request instanceof MultiRequest batch) {
      return hasOnlyGets(batch)
          && (known == null
              || batch.getRegionActionList().stream()
                  .allMatch(actions -> isOfUnwatched(known, nameOf(actions.getRegion()))));
    }
    return request instanceof ScanRequest scan
        && (known == null || isOfUnwatched(known, regionOf(known, scan)));
  }

  private static boolean hasOnlyGets(MultiRequest request) {
    return request.getRegionActionList().stream()
        .flatMap(actions -> actions.getActionList().stream())
        .allMatch(Action::hasGet);
  }

  /**
   * Whether a region is known, and observed by nobody but HBase. Each Get asks. Streams would be
   * much for a new JVM to compile.
   *
   * @param region null if it is not known
   */
  private static boolean isOfUnwatched(HRegionServer server, String region) {
    HRegion found = region == null ? null : server.getRegion(region);
    RegionCoprocessorHost host = found == null ? null : found.getCoprocessorHost();
    if (host == null) {
      return false;
    }
    for (RegionCoprocessor coprocessor : host.findCoprocessors(RegionCoprocessor.class)) {
      if (isOthersObserver(coprocessor)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOthersObserver(RegionCoprocessor coprocessor) {
    return coprocessor.getRegionObserver().isPresent()
        && !coprocessor.getClass().getName().startsWith(HBASE);
  }

  /** Null if it is not known. */
  private static String regionOf(HRegionServer server, ScanRequest scan) {
    return scan.hasRegion()
        ? nameOf(scan.getRegion())
        : OpenScanners.regionOf(server.getRSRpcServices(), scan.getScannerId())
            .map(RegionInfo::getEncodedName)
            .orElse(null);
  }

  private static String nameOf(RegionSpecifier region) {
    return region.getType() == RegionSpecifierType.ENCODED_REGION_NAME
        ? region.getValue().toStringUtf8()
        : RegionInfo.encodeRegionName(region.getValue().toByteArray());
  }
}
