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
package dev.terrace.bench.cases;

import dev.terrace.bench.server.HBaseServer;
import dev.terrace.bench.server.JavaProcess;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.FutureUtils;

/** What changes the files of all regions of a table. */
enum RegionEvent {
  MAJOR_COMPACTION("a major compaction") {
    @Override
    CompletableFuture<?> ask(AsyncAdmin admin, TableName table, List<byte[]> regions) {
      return admin.majorCompact(table);
    }
  },

  FLUSH("a flush") {
    @Override
    CompletableFuture<?> ask(AsyncAdmin admin, TableName table, List<byte[]> regions) {
      return admin.flush(table);
    }
  },

  /** Each region becomes two. */
  SPLIT("splits") {
    @Override
    CompletableFuture<?> ask(AsyncAdmin admin, TableName table, List<byte[]> regions) {
      return all(regions.stream(), admin::splitRegion);
    }
  },

  /** Each two neighbours become one; HBase refuses regions that refer to files of others. */
  MERGE("merges") {
    @Override
    CompletableFuture<?> ask(AsyncAdmin admin, TableName table, List<byte[]> regions) {
      return all(
          IntStream.range(0, regions.size() / 2).mapToObj(i -> regions.subList(2 * i, 2 * i + 2)),
          pair -> admin.mergeRegions(pair, false));
    }
  };

  private final String words;

  RegionEvent(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /**
   * Asks for it. Returns a condition: it is done, and the compactions that it brings are, too. That
   * throws if HBase could not do it.
   */
  JavaProcess.Condition begin(AsyncAdmin async, Admin admin, TableName table) throws IOException {
    List<byte[]> regions =
        admin.getRegions(table).stream()
            .sorted(RegionInfo.COMPARATOR)
            .map(RegionInfo::getRegionName)
            .toList();
    JavaProcess.Condition compacted =
        HBaseServer.compactedSince(admin, table, System.currentTimeMillis());
    CompletableFuture<?> asked = ask(async, table, regions);
    return () -> {
      if (!asked.isDone()) {
        return false;
      }
      FutureUtils.get(asked);
      return this == FLUSH || compacted.holds();
    };
  }

  /** Regions are in the order of their keys. */
  abstract CompletableFuture<?> ask(AsyncAdmin admin, TableName table, List<byte[]> regions);

  private static <T> CompletableFuture<?> all(
      Stream<T> things, Function<T, CompletableFuture<?>> each) {
    return CompletableFuture.allOf(things.map(each).toArray(CompletableFuture<?>[]::new));
  }
}
