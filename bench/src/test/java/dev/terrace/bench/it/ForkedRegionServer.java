// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import dev.terrace.hbase.Terrace;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * The example of a fork with a region server class of its own: these two calls embed Terrace.
 * {@link ExternalAndForkedIT} runs it.
 */
public class ForkedRegionServer extends HRegionServer {

  /** Makes a region server. HBase calls this. */
  public ForkedRegionServer(Configuration configuration) throws IOException {
    super(Terrace.prepare(configuration));
    Terrace.install(this);
  }
}
