// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WhyCommandTest {

  private final AtomicReference<String> question = new AtomicReference<>();
  private final CommandRun run = new CommandRun();
  private HttpServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  /** A server whose only page is {@code /terrace}; returns its address. */
  private String start(int status, String type, String body) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/terrace",
        exchange -> {
          String query = exchange.getRequestURI().getRawQuery();
          question.set(URLDecoder.decode(query, StandardCharsets.UTF_8));
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", type);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    return "localhost:" + server.getAddress().getPort();
  }

  @Test
  void theAnswerOfTheServerIsPrinted() throws IOException {
    String address = start(200, "text/plain;charset=utf-8", "No blocks: Größe.\n");

    assertThat(run.run("why", "ns:t & co", "f", "--server", address)).isZero();
    assertThat(run.out()).isEqualTo("No blocks: Größe.\n");
    assertThat(run.err()).isEmpty();
    assertThat(question).hasValue("as=text&why=ns:t & co f");

    assertThat(run.run("why", "t", "--server", "http://" + address)).isZero();
    assertThat(question).hasValue("as=text&why=t");
  }

  @Test
  void whatAnswersOtherwiseIsNamed() throws IOException {
    String address = start(401, "text/html", "who are you?");

    assertThat(run.run("why", "t", "--server", address)).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("terrace why: no answer from " + address + ": HTTP 401, ")
        .contains("JMX");
  }

  @Test
  void aPageWithoutAnAnswerIsNone() throws IOException {
    String address = start(200, "text/html", "<p>another version</p>");

    assertThat(run.run("why", "t", "--server", address)).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("another version");
  }

  @Test
  void aServerThatIsNotThereIsNamedInOneLine() throws IOException {
    String address = start(200, "text/plain", "");
    server.stop(0);

    assertThat(run.run("why", "t", "--server", address)).isEqualTo(2);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .startsWith("terrace why: no answer from " + address);
    assertThat(run.run("why", "t", "--server", "not a host")).isEqualTo(2);
    assertThat(run.err().lines()).singleElement().asString().contains("not a host");
  }
}
