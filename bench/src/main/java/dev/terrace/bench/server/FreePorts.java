// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * TCP ports that the servers of a run keep across restarts. They lie below the ephemeral range, so
 * that no client can take one while its server is down.
 */
public final class FreePorts {

  private static final int FIRST = 15_000;
  private static final int END = 32_000;
  private static final int ATTEMPTS = 1_000;

  private static final Set<Integer> TAKEN = new HashSet<>();

  private FreePorts() {}

  /** Returns a port that is free now and was not returned before. */
  public static synchronized int next() throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      if (TAKEN.add(port) && isFree(port)) {
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
