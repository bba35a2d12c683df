// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.status.FamilyLookups;
import dev.terrace.hbase.status.TerraceStatus;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.servlet.ServletRequest;
import javax.servlet.ServletRequestWrapper;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.commons.lang3.math.NumberUtils;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.HttpServer;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page {@code /terrace} on a region server's info port with its JSON: a servlet beside HBase's
 * own, behind the same authentication. Thread-safe.
 */
public final class StatusPage {

  /** Call {@link #sample} this often. */
  public static final Duration EVERY = History.EVERY;

  /** {@code /terrace} and all below it. */
  private static final String PATHS = "/terrace/*";

  /** Rows of a list by default. */
  private static final int ROWS = 20;

  private static final int MAX_ROWS = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(StatusPage.class);

  private final Supplier<Optional<HRegionServer>> server;
  private final StatusJson json;
  private boolean published;

  /** Creates a page, which is not published before the region server is known. */
  public StatusPage(
      TerraceStatus status,
      FileCatalog known,
      FamilyLookups lookups,
      Configuration conf,
      Supplier<Optional<HRegionServer>> server) {
    this.server = server;
    Instant start = Instant.now();
    History history = new History(status::metrics, start);
    this.json = new StatusJson(status, known, conf, lookups, history, new Verdict(), start);
  }

  /** Takes a sample; may publish the page. */
  public synchronized void sample() {
    Instant now = Instant.now();
    json.sample(now);
    server.get().ifPresent(this::publish);
  }

  private void publish(HRegionServer known) {
    InfoServer pages = known.getInfoServer();
    if (published || pages == null) {
      return;
    }
    published = true;
    try {
      add(
          pages,
          new Answers(() -> json.status(Instant.now()), json::lists, json.bean()::whyNotCached));
      LOG.info("Terrace's status page is at /terrace on the info port");
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.warn(
          "Terrace cannot add its page /terrace to this version of HBase; use JMX and metrics", e);
    }
  }

  /** The sources of the servlet's answers. Any thread may call them. */
  record Answers(Supplier<String> status, IntFunction<String> lists, UnaryOperator<String> why) {}

  /**
   * Adds the page behind the filters of HBase's pages, such as authentication. HBase's own methods
   * add servlets only before an info server starts, which the region server's constructor does. So
   * this adds it to the web server inside, through private members.
   *
   * @throws ReflectiveOperationException if this version of HBase is not supported
   */
  static void add(InfoServer running, Answers answers) throws ReflectiveOperationException {
    Object httpServer = FieldUtils.readField(running, "httpServer", true);
    Field field = FieldUtils.getField(HttpServer.class, "webAppContext", true);
    Object context = field.get(httpServer);
    // Jetty's class, found by the type of HBase's field: from HBase 3 on it is relocated.
    Class<?> type = field.getType();
    Method filter = HttpServer.class.getDeclaredMethod("addFilterPathMapping", String.class, type);
    filter.setAccessible(true);
    running.setAttribute(Answers.class.getName(), answers);
    // Filters first, so that no request bypasses them.
    filter.invoke(httpServer, PATHS, context);
    type.getMethod("addServlet", Class.class, String.class)
        .invoke(context, StatusServlet.class, PATHS);
  }

  /**
   * Answers {@code GET} with the page and its script, and with the JSON that the script reads:
   * {@code lists.json?rows=N} has up to N tables, families and files, 10,000 at most. {@code
   * ?as=text&why=NAME} explains why something is not cached. The web server creates it.
   */
  public static final class StatusServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    private final transient RateLimitedLog log =
        new RateLimitedLog(LoggerFactory.getLogger(StatusServlet.class), System::nanoTime);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      Answers answers = (Answers) getServletContext().getAttribute(Answers.class.getName());
      String path = Objects.requireNonNullElse(request.getPathInfo(), "");
      String name = asSent(request).getParameter("why");
      boolean isQuestion =
          name != null && !name.isBlank() && "text".equals(request.getParameter("as"));
      try {
        switch (path) {
          case "/status.json" -> answer(response, "application/json", answers.status().get());
          case "/lists.json" -> {
            int rows = Math.max(1, NumberUtils.toInt(request.getParameter("rows"), ROWS));
            if (rows > MAX_ROWS) {
              response.sendError(
                  HttpServletResponse.SC_BAD_REQUEST, "rows=" + rows + " is above " + MAX_ROWS);
            } else {
              answer(response, "application/json", answers.lists().apply(rows));
            }
          }
          case "/page.js" -> answer(response, "text/javascript", resource("page.js"));
          case "/page.css" -> answer(response, "text/css", resource("page.css"));
          case "" ->
              answer(
                  response,
                  isQuestion ? "text/plain" : "text/html",
                  isQuestion ? answers.why().apply(name) : resource("index.html"));
          default -> response.sendError(HttpServletResponse.SC_NOT_FOUND);
        }
      } catch (RuntimeException | Error e) {
        log.warn("Request to /terrace failed (status 500): " + path, e);
        response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
      }
    }

    /** Unwraps a request: HBase's filter escapes parameters for HTML, so names would not match. */
    static ServletRequest asSent(ServletRequest request) {
      return request instanceof ServletRequestWrapper wrapper
          ? asSent(wrapper.getRequest())
          : request;
    }

    private static String resource(String name) throws IOException {
      try (InputStream in = StatusServlet.class.getResourceAsStream(name)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }

    private static void answer(HttpServletResponse response, String type, String body)
        throws IOException {
      response.setContentType(type);
      // No type guessing, as names come from outside; no caching, as figures are current.
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.setHeader("Cache-Control", "no-store");
      response.setCharacterEncoding(StandardCharsets.UTF_8.name());
      response.getWriter().write(body);
    }
  }
}
