// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.web.StatusPage.Answers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.http.FilterInitializer;
import org.apache.hadoop.hbase.http.InfoServer;
import org.junit.jupiter.api.Test;

/** On a real info server of HBase. */
final class StatusPageTest {

  private final Configuration conf = new Configuration();

  /** A filter as that of an operator who protects HBase's pages: it wants a password. */
  public static final class Guard extends FilterInitializer implements Filter {

    @Override
    public void initFilter(FilterContainer container, Configuration configuration) {
      container.addFilter("guard", Guard.class.getName(), Map.of());
    }

    @Override
    public void init(FilterConfig config) {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      if ("secret".equals(((HttpServletRequest) request).getHeader("Password"))) {
        chain.doFilter(request, response);
      } else {
        ((HttpServletResponse) response).sendError(HttpServletResponse.SC_FORBIDDEN);
      }
    }

    @Override
    public void destroy() {}
  }

  private interface Visit {
    void of(URI page) throws Exception;
  }

  @SuppressWarnings("deprecation") // nothing else tells the port
  private void visit(Visit visit) throws Exception {
    InfoServer infoServer = new InfoServer("regionserver", "localhost", 0, false, conf);
    infoServer.start();
    try {
      StatusPage.add(
          infoServer,
          new Answers(() -> "{\"größe\": 1}", this::lists, name -> "answer on " + name));
      visit.of(URI.create("http://localhost:" + infoServer.getPort() + "/terrace"));
    } finally {
      infoServer.stop();
    }
  }

  private static HttpResponse<String> get(URI page, String password) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(page).header("Password", password).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private String lists(int rows) {
    if (rows == 13) {
      throw new AssertionError("no luck");
    }
    return "rows " + rows;
  }

  @Test
  void aPageIsAddedAfterTheStart() throws Exception {
    visit(
        page -> {
          assertIs(get(page, "none"), "text/html", "<title>Terrace</title>");
          assertIs(get(page.resolve("/terrace/page.js"), "none"), "text/javascript", "status.json");
          assertIs(get(page.resolve("/terrace/page.css"), "none"), "text/css", "--ssd:");
          URI status = page.resolve("/terrace/status.json");
          assertIs(get(status, "none"), "application/json", "{\"größe\": 1}");
        });
  }

  private static void assertIs(HttpResponse<String> response, String type, String part) {
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type"))
        .hasValueSatisfying(is -> assertThat(is).isEqualToIgnoringCase(type + ";charset=utf-8"));
    assertThat(response.headers().allValues("X-Content-Type-Options")).contains("nosniff");
    assertThat(response.body()).contains(part);
  }

  @Test
  void itsListsAreAsLongAsIsAskedForWithinABound() throws Exception {
    visit(
        page -> {
          String lists = "/terrace/lists.json?rows=";
          assertThat(get(page.resolve(lists + "10000"), "none").body()).isEqualTo("rows 10000");
          HttpResponse<String> tooMany = get(page.resolve(lists + "10001"), "none");
          assertThat(tooMany.statusCode()).isEqualTo(400);
          assertThat(tooMany.body()).contains("rows=10001", "10000");
          assertThat(get(page.resolve(lists + "-1"), "none").body()).isEqualTo("rows 1");
          assertThat(get(page.resolve(lists + "all"), "none").body()).isEqualTo("rows 20");
        });
  }

  @Test
  void noErrorGetsOut() throws Exception {
    visit(
        page -> {
          URI lists = page.resolve("/terrace/lists.json?rows=13");
          HttpResponse<String> response = get(lists, "none");
          assertThat(response.statusCode()).isEqualTo(500);
          assertThat(response.body()).doesNotContain("no luck");
        });
  }

  /**
   * The script escapes what it shows, and nobody what comes in: HBase's names may have anything.
   */
  @Test
  void aQuestionIsAnsweredAsText() throws Exception {
    visit(
        page -> {
          String question = "?why=ns:t%20%3Cscript%3E%22%D0%B6";
          HttpResponse<String> text = get(page.resolve("/terrace" + question + "&as=text"), "none");
          assertIs(text, "text/plain", "answer on ns:t <script>\"ж");
          assertThat(get(page.resolve("/terrace" + question), "none").body())
              .isEqualTo(get(page, "none").body());
        });
  }

  @Test
  void itIsBehindTheFiltersOfTheInfoServer() throws Exception {
    conf.set("hbase.http.filter.initializers", Guard.class.getName());
    visit(
        page -> {
          assertThat(get(page, "wrong").statusCode()).isEqualTo(403);
          assertThat(get(page, "secret").statusCode()).isEqualTo(200);
          URI status = page.resolve("/terrace/status.json");
          assertThat(get(status, "wrong").statusCode()).isEqualTo(403);
          assertThat(get(status, "secret").statusCode()).isEqualTo(200);
        });
  }
}
