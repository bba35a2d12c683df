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

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Beside a server that answers what it is told. */
final class WarmCommandTest {

  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final List<byte[]> bodies = Collections.synchronizedList(new ArrayList<>());
  private final Deque<String> answers = new ArrayDeque<>();
  private final Deque<String> types = new ArrayDeque<>();
  private final CommandRun run = new CommandRun();
  private int status = 200;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/terrace/warm",
        exchange -> {
          requests.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI().getRawQuery()
                  + " "
                  + exchange.getRequestHeaders().containsKey("X-Terrace"));
          bodies.add(exchange.getRequestBody().readAllBytes());
          byte[] bytes = answers.remove().getBytes(StandardCharsets.UTF_8);
          exchange
              .getResponseHeaders()
              .add("Content-Type", types.isEmpty() ? "text/plain" : types.remove());
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private int warm(Object... options) {
    return run.run("warm", "--server=localhost:" + server.getAddress().getPort(), options);
  }

  @Test
  void itWaitsForTheEndAndPrintsIt() {
    answers.addAll(List.of("running: 1\n", "running: 2\n", "done: 3\n"));

    assertThat(warm("--all", "ns:t/f&g")).isZero();
    assertThat(run.out()).isEqualTo("running: 1\ndone: 3\n");
    assertThat(requests)
        .containsExactly(
            "POST all=true&name=ns%3At%2Ff%26g true", "GET null false", "GET null false");

    answers.addAll(List.of("running: 1\n", "stopped: 2\n"));
    assertThat(warm("t")).isEqualTo(1);
    assertThat(run.out()).endsWith("stopped: 2\n");
  }

  @Test
  void itBringsTheListOfAnotherServer() {
    types.add("application/octet-stream");
    answers.addAll(List.of("list", "done: 1\n"));

    assertThat(warm("t/f", "--from", "localhost:" + server.getAddress().getPort())).isZero();
    assertThat(requests).containsExactly("GET list=t false", "POST all=false&name=t%2Ff true");
    assertThat(bodies.get(1)).asString().isEqualTo("list");

    answers.add("not octets");
    assertThat(warm("t", "--from", "localhost:" + server.getAddress().getPort())).isEqualTo(2);
    assertThat(run.err()).contains(": no list from localhost:").contains("another version");
    assertThat(warm("t", "--from", "x", "--all")).isEqualTo(2);
  }

  @Test
  void itTellsHowFarTheLastOneIsAndStopsIt() {
    answers.addAll(List.of("running: 1\n", "stopped: 2\n"));

    assertThat(warm()).isZero();
    assertThat(run.out()).isEqualTo("running: 1\n");
    assertThat(warm("--stop")).isZero();
    assertThat(run.out()).isEqualTo("stopped: 2\n");
    assertThat(requests).containsExactly("GET null false", "POST null true");
  }

  @Test
  void whatTheServerRefusesIsPrinted() {
    status = 409;
    answers.add("a command runs already\n");

    assertThat(warm("t")).isEqualTo(2);
    assertThat(run.err())
        .startsWith("terrace warm: localhost:")
        .endsWith(": a command runs already\n");
    assertThat(run.out()).isEmpty();
    assertThat(warm("--stop", "t")).isEqualTo(2);
    assertThat(warm("--all")).isEqualTo(2);
    assertThat(requests).hasSize(1);
  }
}
