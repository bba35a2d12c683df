// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Terrace below HBase's own cache, which keeps index and bloom blocks, beside Terrace embedded in a
 * fork of the region server, as {@link ForkedRegionServer} shows.
 */
@Tag("long")
final class ExternalAndForkedIT extends EntryPointContract {

  @TempDir static Path folder;

  @Override
  List<Map<String, String>> settings() {
    return List.of(
        Map.of(
            "hbase.blockcache.use.external", "true",
            "hbase.blockcache.external.class", "dev.terrace.hbase.TieredBlockCache",
            "hfile.block.cache.policy", "IndexOnlyLRU"),
        Map.of("hbase.regionserver.impl", ForkedRegionServer.class.getName()));
  }

  @Override
  List<String> waysIn() {
    return List.of("hbase.blockcache.external.class", "embedded");
  }

  @Override
  Path[] jars() throws IOException {
    return new Path[] {
      Setups.jar(folder.resolve("forked-region-server.jar"), ForkedRegionServer.class)
    };
  }
}
