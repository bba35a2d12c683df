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
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * TCP ports that servers of a run keep over their restarts. They lie below those that the system
 * gives to clients, which else could take one while its server is away.
 */
public final class FreePorts {

  private static final int FIRST = 15_000;
  private static final int END = 32_000;
  private static final int ATTEMPTS = 1_000;

  private final Set<Integer> taken = new HashSet<>();

  /** Returns a port that nobody has now, and that was not returned before. */
  public int next() throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (taken.add(port) && isFree(port)) {
        return port;
      }
    }
    throw new IOException("no free port from " + FIRST + " to " + END);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
