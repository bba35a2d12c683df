// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.page;

import dev.terrace.api.RateLimitedLog;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.servlet.ServletRequest;
import javax.servlet.ServletRequestWrapper;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code GET} with the page and its script, and with the JSON that the script reads: {@code
 * lists.json?rows=N} has up to N tables, families and files. {@code ?as=text&why=NAME} explains why
 * something is not cached.
 */
final class StatusServlet extends HttpServlet {

  private static final long serialVersionUID = 1;

  /** Rows of a list, unless more are asked for. */
  static final int ROWS = 20;

  private static final String STATUS = "status.json";
  private static final String LISTS = "lists.json";

  private final transient RateLimitedLog log =
      new RateLimitedLog(LoggerFactory.getLogger(StatusServlet.class), System::nanoTime);
  private final transient Supplier<String> status;
  private final transient IntFunction<String> lists;
  private final transient UnaryOperator<String> why;

  /** Answers by functions that any thread may call. */
  StatusServlet(Supplier<String> status, IntFunction<String> lists, UnaryOperator<String> why) {
    this.status = status;
    this.lists = lists;
    this.why = why;
  }

  /** The paths that it answers at. */
  static String[] paths(String path) {
    return new String[] {
      path, path + "/page.js", path + "/page.css", path + "/" + STATUS, path + "/" + LISTS
    };
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getServletPath();
    String name = asSent(request).getParameter("why");
    try {
      switch (path.substring(path.lastIndexOf('/') + 1)) {
        case STATUS -> answer(response, "application/json", status.get());
        case LISTS -> answer(response, "application/json", lists.apply(rows(request)));
        case "page.js" -> answer(response, "text/javascript", resource("page.js"));
        case "page.css" -> answer(response, "text/css", resource("page.css"));
        default -> {
          if (name != null && !name.isBlank() && "text".equals(request.getParameter("as"))) {
            answer(response, "text/plain", why.apply(name));
          } else {
            answer(response, "text/html", resource("index.html"));
          }
        }
      }
    } catch (RuntimeException | Error e) {
      log.warn("Page not answered: " + path, e);
      response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
    }
  }

  /** HBase's filter escapes parameters for HTML, so that names are not found; nothing here is. */
  static ServletRequest asSent(ServletRequest request) {
    return request instanceof ServletRequestWrapper wrapper
        ? asSent(wrapper.getRequest())
        : request;
  }

  private static int rows(HttpServletRequest request) {
    try {
      return Math.max(1, Integer.parseInt(request.getParameter("rows")));
    } catch (NumberFormatException e) {
      return ROWS;
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = StatusServlet.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException(name + " is not in Terrace's jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void answer(HttpServletResponse response, String type, String body)
      throws IOException {
    response.setContentType(type);
    // Names from outside stay what they are; figures are of now.
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    response.setCharacterEncoding(StandardCharsets.UTF_8.name());
    response.getWriter().write(body);
  }
}
