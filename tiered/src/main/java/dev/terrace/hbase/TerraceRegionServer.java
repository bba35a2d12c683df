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
 * <p>It does not start if Terrace cannot.
 */
public class TerraceRegionServer extends HRegionServer {

  private final TieredBlockCache cache;

  /**
   * Makes a region server. HBase calls this.
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
    // From 2.6 on each open store passes this on as well; the 2.5 line does not.
    cache.onConfigurationChange(newConf);
  }
}
