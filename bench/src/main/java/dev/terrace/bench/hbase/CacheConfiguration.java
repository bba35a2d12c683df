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
package dev.terrace.bench.hbase;

import dev.terrace.bench.ByteSize;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A block cache that a server is started with. Immutable.
 *
 * @param name short name, as in reports
 * @param title the name for people
 * @param withDropInJar whether Terrace's jar is in HBase's {@code lib/}
 * @param heap Java heap of the server
 * @param directMemory what the JVM may allocate outside the heap
 * @param settings what hbase-site.xml says of the cache
 * @param pmemFolder folder that the cache needs on PMem, if it does
 * @param ssdFolder folder that the cache needs on SSD, if it does
 */
public record CacheConfiguration(
    String name,
    String title,
    boolean withDropInJar,
    ByteSize heap,
    ByteSize directMemory,
    Map<String, String> settings,
    Optional<Path> pmemFolder,
    Optional<Path> ssdFolder) {

  /** Copies the settings. */
  public CacheConfiguration {
    settings = Map.copyOf(settings);
  }

  /** Returns the same with other settings added; one that was there before gets the new value. */
  public CacheConfiguration with(Map<String, String> more) {
    Map<String, String> merged = new LinkedHashMap<>(settings);
    merged.putAll(more);
    return new CacheConfiguration(
        name, title, withDropInJar, heap, directMemory, merged, pmemFolder, ssdFolder);
  }

  /** Returns the same under another name. */
  public CacheConfiguration named(String otherName, String otherTitle) {
    return new CacheConfiguration(
        otherName, otherTitle, withDropInJar, heap, directMemory, settings, pmemFolder, ssdFolder);
  }

  /**
   * Returns what starts a server with this cache. The folders of the cache must exist by then.
   *
   * @param folder where the server keeps its configuration and log
   * @param data its files, such as {@link DataCopy} makes them
   */
  public HBaseServerBuilder server(Path folder, Path data) {
    HBaseServerBuilder builder =
        HBaseServer.in(folder)
            .dataDirectory(data)
            .set(settings)
            .heap(heap)
            .directMemory(directMemory);
    return withDropInJar ? builder.withDropInJar() : builder;
  }
}
