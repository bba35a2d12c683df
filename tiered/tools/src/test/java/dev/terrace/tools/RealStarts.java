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
package dev.terrace.tools;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.RegionServerCoprocessorHost;

/**
 * A program that makes real region servers, one after the other, as {@code HRegionServer.main} does
 * before it reports to a master. It runs without Terrace on its class path, too.
 */
final class RealStarts {

  static final String STARTED = "started with Terrace";
  static final String WITHOUT = "started without Terrace";
  static final String FAILED = "failed";

  private RealStarts() {}

  /** The first argument is the file for the outcomes, the others are folders of configuration. */
  public static void main(String[] arguments) throws IOException {
    try (PrintStream out = new PrintStream(arguments[0], StandardCharsets.UTF_8)) {
      for (int i = 1; i < arguments.length; i++) {
        out.println(outcome(Path.of(arguments[i])).replace('\n', ' '));
      }
    }
    // Threads of the servers run still.
    Runtime.getRuntime().halt(0);
  }

  private static String outcome(Path conf) {
    try {
      return start(conf);
    } catch (Exception | LinkageError e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      return FAILED + ": " + cause;
    }
  }

  private static String start(Path folder) throws Exception {
    // As bin/hbase has them for each server.
    Path home = folder.getParent();
    System.setProperty("hbase.home.dir", home.toString());
    System.setProperty("hbase.log.dir", home.resolve("logs").toString());
    Configuration conf = new Configuration();
    conf.setClassLoader(new ConfigurationFirst(folder));
    HBaseConfiguration.addHbaseResources(conf);
    HRegionServer server =
        conf.getClass(HConstants.REGION_SERVER_IMPL, HRegionServer.class, HRegionServer.class)
            .getConstructor(Configuration.class)
            .newInstance(conf);
    try {
      new RegionServerCoprocessorHost(server, server.getConfiguration());
      if (server.isAborted()) {
        return FAILED + ": aborted";
      }
      return isTerrace(server.getBlockCache()) ? STARTED : WITHOUT;
    } finally {
      server.getBlockCache().ifPresent(BlockCache::shutdown);
      server.getRpcServer().stop();
      server.getZooKeeper().close();
    }
  }

  private static boolean isTerrace(Optional<BlockCache> cache) {
    if (cache.isEmpty()) {
      return false;
    }
    BlockCache[] below = cache.get().getBlockCaches();
    String last = (below == null ? cache.get() : below[below.length - 1]).getClass().getName();
    return last.startsWith("dev.terrace.");
  }

  /** A folder of configuration comes first on the class path of a server. */
  private static final class ConfigurationFirst extends URLClassLoader {

    ConfigurationFirst(Path folder) throws IOException {
      super(new URL[] {folder.toUri().toURL()}, RealStarts.class.getClassLoader());
    }

    @Override
    public URL getResource(String name) {
      URL own = findResource(name);
      return own == null ? super.getResource(name) : own;
    }
  }
}
