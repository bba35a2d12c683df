// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.web;

import dev.terrace.api.RateLimitedLog;
import dev.terrace.hbase.files.FileCatalog;
import dev.terrace.hbase.files.Memo;
import dev.terrace.hbase.status.FamilyLookups;
import dev.terrace.hbase.status.Figures.Counters;
import dev.terrace.hbase.status.TerraceMXBean;
import dev.terrace.hbase.web.History.Moment;
import dev.terrace.tiered.TieredCache;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.servlet.Servlet;
import javax.servlet.ServletRequest;
import javax.servlet.ServletRequestWrapper;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
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

  static final String PATH = "/terrace";

  private static final Logger LOG = LoggerFactory.getLogger(StatusPage.class);

  private final TerraceMXBean bean;
  private final Supplier<Optional<HRegionServer>> server;
  private final History history;
  private final StatusJson json;
  private final Memo<String> shortLists;
  private boolean published;

  /**
   * Creates a page, which is not published yet.
   *
   * @param known finds the tables and regions of files
   * @param conf names the sources of the settings
   * @param server the region server that uses the cache, if it is known yet
   */
  public StatusPage(
      TerraceMXBean bean,
      TieredCache<?> tiers,
      FileCatalog known,
      FamilyLookups lookups,
      Configuration conf,
      Supplier<Optional<HRegionServer>> server,
      LongSupplier nanoClock) {
    this.bean = bean;
    this.server = server;
    Instant start = Instant.now();
    this.history =
        new History(time -> new Moment(time, Counters.of(tiers, bean.getRegionHeat())), start);
    this.json = new StatusJson(bean, known, conf, lookups, history, new Verdict(), start);
    this.shortLists = new Memo<>(() -> json.lists(StatusServlet.ROWS), nanoClock);
  }

  /** Takes a sample for the charts; publishes the page once the server is known. */
  public synchronized void sample() {
    Instant now = Instant.now();
    history.sample(now);
    json.judge(now);
    server.get().ifPresent(this::publish);
  }

  private String status() {
    return json.status(Instant.now());
  }

  /** Lists are expensive, so they are cached as long as a memo allows. */
  private String lists(int rows) {
    return rows == StatusServlet.ROWS ? shortLists.get() : json.lists(rows);
  }

  private void publish(HRegionServer known) {
    InfoServer pages = known.getInfoServer();
    if (published || pages == null) {
      return;
    }
    published = true;
    try {
      add(
          new StatusServlet(this::status, this::lists, bean::whyNotCached),
          pages,
          StatusServlet.paths(PATH));
      LOG.info("Terrace's page is at /terrace on the info port");
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.warn("Terrace cannot add its page /terrace to this version of HBase", e);
    }
  }

  /**
   * Adds the page behind the filters of HBase's pages, such as authentication. HBase's own methods
   * add servlets only before an info server starts, which the region server's constructor does. So
   * this adds it to the web server inside, through private members.
   *
   * @throws ReflectiveOperationException if this version of HBase is not supported
   */
  static void add(HttpServlet servlet, InfoServer running, String... paths)
      throws ReflectiveOperationException {
    HttpServer httpServer = (HttpServer) field(InfoServer.class, "httpServer").get(running);
    Field field = field(HttpServer.class, "webAppContext");
    Object context = field.get(httpServer);
    // Jetty's classes, found by the types of HBase's fields: from HBase 3 on they are relocated.
    Class<?> type = field.getType();
    Method filter = HttpServer.class.getDeclaredMethod("addFilterPathMapping", String.class, type);
    filter.setAccessible(true);
    Constructor<?> holders = holders(type);
    Method add = type.getMethod("addServlet", holders.getDeclaringClass(), String.class);
    Object holder = holders.newInstance(servlet);
    for (String path : paths) {
      try {
        // Filters first, so that no request bypasses them.
        filter.invoke(httpServer, path, context);
        add.invoke(context, holder, path);
      } catch (InvocationTargetException e) {
        throw new ReflectiveOperationException("a filter or the page cannot be set: " + path, e);
      }
    }
  }

  /** The constructor of a servlet holder, which is what a context's {@code addServlet} takes. */
  private static Constructor<?> holders(Class<?> context) throws NoSuchMethodException {
    for (Method method : context.getMethods()) {
      if (method.getName().equals("addServlet") && method.getParameterCount() == 2) {
        try {
          return method.getParameterTypes()[0].getConstructor(Servlet.class);
        } catch (NoSuchMethodException e) {
          LOG.debug("{} does not take a servlet", method, e);
        }
      }
    }
    throw new NoSuchMethodException("addServlet of " + context + " for a servlet");
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /**
   * Answers {@code GET} with the page and its script, and with the JSON that the script reads:
   * {@code lists.json?rows=N} has up to N tables, families and files. {@code ?as=text&why=NAME}
   * explains why something is not cached.
   */
  static final class StatusServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    /** Rows of a list by default. */
    static final int ROWS = 20;

    private static final String STATUS = "status.json";
    private static final String LISTS = "lists.json";

    private final transient RateLimitedLog log =
        new RateLimitedLog(LoggerFactory.getLogger(StatusServlet.class), System::nanoTime);
    private final transient Supplier<String> status;
    private final transient IntFunction<String> lists;
    private final transient UnaryOperator<String> why;

    /** Creates a servlet. Any thread may call the functions. */
    StatusServlet(Supplier<String> status, IntFunction<String> lists, UnaryOperator<String> why) {
      this.status = status;
      this.lists = lists;
      this.why = why;
    }

    /** The paths that the servlet serves. */
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

    /** Unwraps a request: HBase's filter escapes parameters for HTML, so names would not match. */
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
      // No type guessing, as names come from outside; no caching, as figures are current.
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.setHeader("Cache-Control", "no-store");
      response.setCharacterEncoding(StandardCharsets.UTF_8.name());
      response.getWriter().write(body);
    }
  }
}
