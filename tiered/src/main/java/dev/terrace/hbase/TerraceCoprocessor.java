// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.settings.SettingsException;
import java.io.IOException;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/**
 * Makes Terrace the block cache of a region server whose class is not {@link TerraceRegionServer}:
 *
 * <pre>{@code
 * <property>
 *   <name>hbase.coprocessor.regionserver.classes</name>
 *   <value>dev.terrace.hbase.TerraceCoprocessor</value>
 * </property>
 * }</pre>
 *
 * <p>HBase starts the coprocessor before the region server reports for duty. If Terrace cannot
 * start, neither does the region server, unless {@code hbase.coprocessor.abortonerror} is false:
 * then it runs with HBase's own cache. HBase may start the coprocessor again when the configuration
 * changes; that has no effect.
 */
@CoreCoprocessor
public class TerraceCoprocessor implements RegionServerCoprocessor {

  @Override
  // HasRegionServerServices is deprecated only to reserve it for core coprocessors.
  @SuppressWarnings({"deprecation", "rawtypes"})
  public void start(CoprocessorEnvironment env) throws IOException {
    if (!(env instanceof HasRegionServerServices core)) {
      throw new IOException(
          getClass().getName()
              + " must be listed in hbase.coprocessor.regionserver.classes; it was loaded by "
              + env.getClass().getName());
    }
    RegionServerServices services = core.getRegionServerServices();
    if (services instanceof HMaster) {
      // In HBase 2 a master is a region server as well, and starts such coprocessors.
      return;
    }
    if (!(services instanceof HRegionServer server)) {
      throw new IOException(
          "Terrace can only be installed in an HRegionServer, not in "
              + services.getClass().getName());
    }
    try {
      Terrace.install(server, EntryPoint.COPROCESSOR);
    } catch (SettingsException | IllegalStateException e) {
      throw new IOException("Terrace cannot start: " + e.getMessage(), e);
    }
  }
}
