// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.settings.SettingsException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * A region server whose block cache is Terrace:
 *
 * <pre>{@code
 * <property>
 *   <name>hbase.regionserver.impl</name>
 *   <value>dev.terrace.hbase.TerraceRegionServer</value>
 * </property>
 * }</pre>
 *
 * <p>The server does not start if Terrace cannot.
 */
public class TerraceRegionServer extends HRegionServer {

  private final TieredBlockCache cache;

  /**
   * Called by HBase.
   *
   * @throws SettingsException if Terrace's settings cannot be used
   */
  public TerraceRegionServer(Configuration conf) throws IOException {
    super(Terrace.prepare(conf));
    this.cache = Terrace.install(this, EntryPoint.REGION_SERVER_CLASS);
  }

  @Override
  public void onConfigurationChange(Configuration newConf) {
    super.onConfigurationChange(newConf);
    // From 2.6 on, each open store also passes this on; in the 2.5 line none does.
    cache.onConfigurationChange(newConf);
  }
}
