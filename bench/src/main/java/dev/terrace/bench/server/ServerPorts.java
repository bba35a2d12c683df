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
package dev.terrace.bench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * The TCP ports of one server that others must know beforehand; HBase picks those of its RPC
 * servers itself.
 *
 * <p>A port is free when it is picked, not reserved: another program may take it before the server
 * does. {@link HBaseServerBuilder} notices that and starts again with other ports.
 */
record ServerPorts(int zooKeeper, int masterInfo, int regionServerInfo) {

  /** Picks free ports for a standalone server. */
  static ServerPorts standalone() throws IOException {
    List<Integer> free = pick(3);
    return new ServerPorts(free.get(0), free.get(1), free.get(2));
  }

  /** Picks a free port for one more region server of the same ZooKeeper and master. */
  ServerPorts oneMoreRegionServer() throws IOException {
    return new ServerPorts(zooKeeper, masterInfo, pick(1).get(0));
  }

  private static List<Integer> pick(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return held.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }
}
