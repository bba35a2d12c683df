// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import dev.terrace.hbase.files.FileObserver;
import dev.terrace.hbase.files.KnownFiles;
import dev.terrace.hbase.files.Owner;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Who missed in the last five to ten minutes: a column family and a kind of read. A miss reads a
 * file, so that it costs nothing to ask for whom. Thread-safe.
 */
public final class RecentMisses implements FileObserver {

  static final Duration PERIOD = Duration.ofMinutes(5);

  /** So many are counted apart in a period; the others together. */
  static final int MAX_CAUSES = 1_000;

  private static final int SHOWN = 10;
  private static final Cause OTHERS = new Cause("others", "", "");

  private record Cause(String table, String family, String read) {}

  /** The misses that begin at a time. */
  private record Period(Instant begin, Map<Cause, LongAdder> misses) {

    static Period from(Instant begin) {
      return new Period(begin, new ConcurrentHashMap<>());
    }

    void addTo(Map<Cause, Long> sums) {
      misses.forEach((cause, count) -> sums.merge(cause, count.sum(), Long::sum));
    }
  }

  private final KnownFiles known;
  private final Clock clock;
  private volatile Period current;
  private volatile Period last;

  /** Counts nothing yet. */
  public RecentMisses(KnownFiles known, Clock clock) {
    this.known = known;
    this.clock = clock;
    this.current = Period.from(clock.instant());
    this.last = Period.from(current.begin);
  }

  @Override
  public void missed(String file, boolean toCache) {
    Owner.Place place = known.place(file);
    Cause cause =
        place == null
            ? new Cause("unknown", "", read(toCache))
            : new Cause(place.table(), place.family() == null ? "" : place.family(), read(toCache));
    Map<Cause, LongAdder> misses = periodOfNow().misses;
    boolean isApart = misses.size() < MAX_CAUSES || misses.containsKey(cause);
    misses.computeIfAbsent(isApart ? cause : OTHERS, added -> new LongAdder()).increment();
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

  private Period periodOfNow() {
    Period now = current;
    return clock.instant().isBefore(now.begin.plus(PERIOD)) ? now : next();
  }

  private synchronized Period next() {
    Instant time = clock.instant();
    if (!time.isBefore(current.begin.plus(PERIOD))) {
      boolean isRecent = time.isBefore(current.begin.plus(PERIOD.multipliedBy(2)));
      last = isRecent ? current : Period.from(time);
      current = Period.from(time);
    }
    return current;
  }

  /** When the counts begin. */
  public Instant since() {
    periodOfNow();
    return last.begin;
  }

  /** The most frequent causes: {@code table}, {@code family}, {@code read} and {@code misses}. */
  public List<Map<String, Object>> largest() {
    Period now = periodOfNow();
    Map<Cause, Long> sums = new HashMap<>();
    now.addTo(sums);
    last.addTo(sums);
    return sums.entrySet().stream()
        .sorted(Map.Entry.<Cause, Long>comparingByValue(Comparator.reverseOrder()))
        .limit(SHOWN)
        .map(entry -> named(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Map<String, Object> named(Cause cause, long misses) {
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("table", cause.table);
    named.put("family", cause.family);
    named.put("read", cause.read);
    named.put("misses", misses);
    return named;
  }
}
