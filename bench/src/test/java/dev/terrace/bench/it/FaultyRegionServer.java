// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import com.google.protobuf.Service;
import dev.terrace.hbase.TerraceRegionServer;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** A region server with {@link FaultyPeers}, for {@link MovedBlocksIT}. */
public class FaultyRegionServer extends TerraceRegionServer {

  /** Makes a region server. HBase calls this. */
  public FaultyRegionServer(Configuration configuration) throws IOException {
    super(configuration);
  }

  @Override
  public boolean registerService(Service service) {
    return super.registerService(
        service.getDescriptorForType().getFullName().equals("terrace.Peers")
            ? new FaultyPeers(service, getConfiguration())
            : service);
  }
}
