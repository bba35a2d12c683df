// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.page;

import dev.terrace.hbase.files.KnownFiles;
import dev.terrace.hbase.files.Memo;
import dev.terrace.hbase.status.RecentMisses;
import dev.terrace.hbase.status.TerraceMXBean;
import dev.terrace.tiered.TieredCache;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.servlet.Servlet;
import javax.servlet.http.HttpServlet;
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
   * A page that is not published.
   *
   * @param known tells which tables and regions files are of
   * @param conf tells where the settings are from
   * @param server the region server that uses the cache, once it is known
   */
  public StatusPage(
      TerraceMXBean bean,
      TieredCache<?> tiers,
      KnownFiles known,
      RecentMisses misses,
      Configuration conf,
      Supplier<Optional<HRegionServer>> server,
      LongSupplier nanoClock) {
    this.bean = bean;
    this.server = server;
    Instant start = Instant.now();
    this.history =
        new History(
            time -> new Moment(time, tiers.stats(), tiers.moves(), bean.getRegionHeat()), start);
    this.json = new StatusJson(bean, known, conf, misses, history, start);
    this.shortLists = new Memo<>(() -> json.lists(StatusServlet.ROWS), nanoClock);
  }

  /** Takes a sample for the lines over time; publishes the page once the server is known. */
  public synchronized void sample() {
    Instant now = Instant.now();
    history.sample(now);
    json.judge(now);
    server.get().ifPresent(this::publish);
  }

  private String status() {
    return json.status(Instant.now());
  }

  /** Lists are the dear part: as old as a memo may be. */
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
   * add servlets only before an info server's start, which is in the region server's constructor,
   * so this goes to the web server within, through private members.
   *
   * @throws ReflectiveOperationException if this version of HBase is not known
   */
  static void add(HttpServlet servlet, InfoServer running, String... paths)
      throws ReflectiveOperationException {
    HttpServer httpServer = (HttpServer) field(InfoServer.class, "httpServer").get(running);
    Field field = field(HttpServer.class, "webAppContext");
    Object context = field.get(httpServer);
    // Jetty's classes, by the types of HBase's own: they lie elsewhere from HBase 3 on.
    Class<?> type = field.getType();
    Method filter = HttpServer.class.getDeclaredMethod("addFilterPathMapping", String.class, type);
    filter.setAccessible(true);
    Constructor<?> holders = holders(type);
    Method add = type.getMethod("addServlet", holders.getDeclaringClass(), String.class);
    Object holder = holders.newInstance(servlet);
    for (String path : paths) {
      try {
        // First, so that no request passes them by.
        filter.invoke(httpServer, path, context);
        add.invoke(context, holder, path);
      } catch (InvocationTargetException e) {
        throw new ReflectiveOperationException("a filter or the page cannot be set: " + path, e);
      }
    }
  }

  /** Of what a context's {@code addServlet} takes beside classes and their names. */
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
}
