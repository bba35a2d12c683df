// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The pages of a running region server that answer in plain text.
 *
 * @param server its host and info port, and maybe the scheme before them
 * @param orElse what to do where the server asks for a login
 */
record InfoPort(String server, String orElse) {

  /** What an option with the server is described as. */
  static final String OPTION =
      "The region server and its info port (hbase.regionserver.info.port, mostly 16030); with"
          + " https:// before it where the pages use TLS.";

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
  private static final String TEXT = "text/plain";
  private static final String DEFAULT_SCHEME = "http://";

  /**
   * Returns what a page answers.
   *
   * @throws IOException if there is no answer, with the reason
   * @throws IllegalArgumentException if the server's address is none
   */
  String get(String page) throws IOException, InterruptedException {
    return new String(answer(request(page).GET(), TEXT), StandardCharsets.UTF_8);
  }

  /** As {@link #get}, of a page that answers with bytes. */
  byte[] bytes(String page) throws IOException, InterruptedException {
    return answer(request(page).GET(), "application/octet-stream");
  }

  /**
   * Has a page do something, and returns its answer.
   *
   * @param body may be empty
   * @throws IOException if it is not done, with the reason
   * @throws IllegalArgumentException if the server's address is none
   */
  String post(String page, byte[] body) throws IOException, InterruptedException {
    return new String(
        answer(
            request(page).header("X-Terrace", "yes").POST(BodyPublishers.ofByteArray(body)), TEXT),
        StandardCharsets.UTF_8);
  }

  /** A text as a part of a page's address. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpRequest.Builder request(String page) {
    String base = server.contains("://") ? server : DEFAULT_SCHEME + server;
    return HttpRequest.newBuilder(URI.create(base + page)).timeout(ANSWER_LIMIT);
  }

  private byte[] answer(HttpRequest.Builder request, String type)
      throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT_LIMIT).build();
    HttpResponse<byte[]> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    String answered = response.headers().firstValue("Content-Type").orElse("");
    if (response.statusCode() == 200 && answered.startsWith(type)) {
      return response.body();
    }
    throw new IOException(
        answered.startsWith(TEXT) && response.statusCode() != 200
            ? new String(response.body(), StandardCharsets.UTF_8).strip()
            : problem(response.statusCode()));
  }

  private String problem(int status) {
    return switch (status) {
      case 200 -> "its page /terrace is that of another version";
      case 401, 403 -> "HTTP " + status + ", it asks who you are: " + orElse;
      case 404 -> "it has no page /terrace: is Terrace active there, and is this the info port?";
      default -> "HTTP " + status;
    };
  }
}
