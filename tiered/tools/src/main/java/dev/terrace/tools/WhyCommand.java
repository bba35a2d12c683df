// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code why}: asks a running region server why something is not cached. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description = {
      "Asks a running region server why a store file, a table or a column family is not cached, or"
          + " not all of it."
    },
    footerHeading = "%n",
    footer = {
      "Queries the page /terrace on the info port. Exit value: 0; 2 if the server does not answer, or"
          + " an option is wrong."
    })
public final class WhyCommand extends ToolCommand {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);

  @Option(
      names = "--server",
      paramLabel = "HOST:PORT",
      required = true,
      description =
          "The region server and its info port (hbase.regionserver.info.port, usually 16030); prefix"
              + " it with https:// if the pages use TLS.")
  private String server;

  @Parameters(
      arity = "1..2",
      paramLabel = "NAME",
      description =
          "The name or path of a store file; or a table, such as ns:users; or a table and a family,"
              + " such as ns:users info.")
  private List<String> name;

  @Override
  int run(PrintWriter out) throws InterruptedException {
    try {
      out.print(answer());
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      return complain("no answer from " + server + ": " + reason);
    }
  }

  private String answer() throws IOException, InterruptedException {
    String base = server.contains("://") ? server : "http://" + server;
    String question = URLEncoder.encode(String.join(" ", name), StandardCharsets.UTF_8);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + "/terrace?as=text&why=" + question))
            .timeout(ANSWER_LIMIT)
            .build();
    HttpResponse<String> response =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT_LIMIT)
            .build()
            .send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    boolean isText =
        response.headers().firstValue("Content-Type").orElse("").startsWith("text/plain");
    int status = response.statusCode();
    if (isText && status == 200) {
      return response.body();
    }
    throw new IOException(isText ? response.body().strip() : problem(status));
  }

  private static String problem(int status) {
    return switch (status) {
      case 200 -> "its page /terrace is of another version of Terrace";
      case 401, 403 ->
          "HTTP "
              + status
              + ", authentication required: open /terrace in a browser, or call whyNotCached over JMX";
      case 404 -> "it has no page /terrace: is Terrace active there, and is this the info port?";
      default -> "HTTP " + status;
    };
  }
}
