// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.apache.hadoop.conf.Configuration;
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
  static final String WITHOUT_PATH = ", and without ";
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

  /** Sets what {@code bin/hbase} gives each process. */
  static void setHome(Path home) {
    System.setProperty("hbase.home.dir", home.toString());
    System.setProperty("hbase.log.dir", home.resolve("logs").toString());
  }

  private static String start(Path folder) throws Exception {
    setHome(folder.getParent());
    Configuration conf = ConfigurationFirst.of(folder);
    HRegionServer server =
        conf.getClass(HConstants.REGION_SERVER_IMPL, HRegionServer.class, HRegionServer.class)
            .getConstructor(Configuration.class)
            .newInstance(conf);
    try {
      new RegionServerCoprocessorHost(server, server.getConfiguration());
      if (server.isAborted()) {
        return FAILED + ": aborted";
      }
      return isTerrace(server.getBlockCache()) ? STARTED + pathsOut() : WITHOUT;
    } finally {
      server.getBlockCache().ifPresent(BlockCache::shutdown);
      server.getRpcServer().stop();
      server.getZooKeeper().close();
    }
  }

  /** The paths that are not in service, each after a space. */
  private static String pathsOut() throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    StringBuilder out = new StringBuilder();
    for (ObjectName cache :
        beans.queryNames(new ObjectName("dev.terrace:type=BlockCache,*"), null)) {
      for (Object row : ((TabularData) beans.getAttribute(cache, "Paths")).values()) {
        CompositeData path = (CompositeData) row;
        CompositeData state = ((TabularData) path.get("value")).get(new Object[] {"state"});
        if (!state.get("value").equals("IN_SERVICE")) {
          out.append(WITHOUT_PATH).append(path.get("key"));
        }
      }
    }
    return out.toString();
  }

  private static boolean isTerrace(Optional<BlockCache> cache) {
    if (cache.isEmpty()) {
      return false;
    }
    BlockCache[] below = cache.get().getBlockCaches();
    String last = (below == null ? cache.get() : below[below.length - 1]).getClass().getName();
    return last.startsWith("dev.terrace.");
  }
}
