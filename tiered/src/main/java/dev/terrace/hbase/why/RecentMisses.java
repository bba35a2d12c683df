// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.why;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.terrace.hbase.files.FileObserver;
import dev.terrace.hbase.files.KnownFiles;
import dev.terrace.hbase.files.Owner;
import dev.terrace.hbase.why.FileEvents.Count;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Who missed in the last 10 to 20 minutes: a column family and a kind of read. A miss reads a file,
 * so that it costs nothing to ask for whom. Thread-safe.
 */
public final class RecentMisses implements FileObserver {

  /** Those that miss least are not counted apart. */
  private static final int MAX_CAUSES = 1_000;

  private static final int SHOWN = 10;

  private record Cause(String table, String family, String read) {}

  /** What the page shows of a cause: the names are those of its JSON. */
  public record Misses(String table, String family, String read, long misses) {}

  private final KnownFiles known;
  private final LongSupplier millisClock;
  private final long startMillis;
  private final Cache<Cause, Count> causes =
      Caffeine.newBuilder().maximumSize(MAX_CAUSES).executor(Runnable::run).build();

  /**
   * Counts nothing yet.
   *
   * @param millisClock like {@link System#currentTimeMillis}
   */
  public RecentMisses(KnownFiles known, LongSupplier millisClock) {
    this.known = known;
    this.millisClock = millisClock;
    this.startMillis = millisClock.getAsLong();
  }

  @Override
  public void missed(String file, boolean toCache) {
    Owner.Place place = known.place(file);
    Cause cause =
        place == null
            ? new Cause("unknown", "", read(toCache))
            : new Cause(place.table(), place.family() == null ? "" : place.family(), read(toCache));
    causes.get(cause, added -> new Count()).add(1, millisClock.getAsLong());
  }

  private static String read(boolean toCache) {
    Message request = RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null);
    String uncached = toCache ? "" : " without caching";
    if (request instanceof ScanRequest) {
      return "scan" + uncached;
    }
    if (request instanceof GetRequest || request instanceof MultiRequest) {
      return "get" + uncached;
    }
    if (request instanceof MutateRequest) {
      return "write" + uncached;
    }
    if (request != null) {
      return "other call" + uncached;
    }
    return toCache ? "inside the server" : "compaction";
  }

  /** When the counts begin. */
  public Instant since() {
    long begin = Count.recentSince(millisClock.getAsLong());
    return Instant.ofEpochMilli(Math.max(begin, startMillis));
  }

  /** The most frequent causes, the most frequent first. */
  public List<Misses> largest() {
    long now = millisClock.getAsLong();
    return causes.asMap().entrySet().stream()
        .map(
            cause ->
                new Misses(
                    cause.getKey().table,
                    cause.getKey().family,
                    cause.getKey().read,
                    cause.getValue().recent(now)))
        .filter(cause -> cause.misses > 0)
        .sorted(Comparator.comparingLong(Misses::misses).reversed())
        .limit(SHOWN)
        .toList();
  }
}
