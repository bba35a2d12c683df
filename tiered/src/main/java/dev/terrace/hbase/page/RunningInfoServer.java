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
package dev.terrace.hbase.page;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import javax.servlet.http.HttpServlet;
import org.apache.hadoop.hbase.http.HttpServer;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hbase.thirdparty.org.eclipse.jetty.servlet.ServletHolder;
import org.apache.hbase.thirdparty.org.eclipse.jetty.webapp.WebAppContext;

/**
 * An info server that runs. HBase's own methods add servlets only before its start, which is in the
 * region server's constructor, so this goes to the web server within, through private members.
 */
final class RunningInfoServer {

  private final HttpServer httpServer;
  private final WebAppContext context;

  /**
   * Finds the web server.
   *
   * @throws ReflectiveOperationException if this version of HBase is not known
   */
  RunningInfoServer(InfoServer infoServer) throws ReflectiveOperationException {
    this.httpServer = (HttpServer) field(InfoServer.class, "httpServer").get(infoServer);
    this.context = (WebAppContext) field(HttpServer.class, "webAppContext").get(httpServer);
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** Adds a servlet behind the filters of HBase's pages, such as authentication. */
  void add(String name, String path, HttpServlet servlet) throws ReflectiveOperationException {
    Method filter =
        HttpServer.class.getDeclaredMethod(
            "addFilterPathMapping", String.class, WebAppContext.class);
    filter.setAccessible(true);
    try {
      // First, so that no request passes them by.
      filter.invoke(httpServer, path, context);
    } catch (InvocationTargetException e) {
      throw new ReflectiveOperationException("the filters cannot be set for " + path, e);
    }
    context.addServlet(new ServletHolder(name, servlet), path);
  }
}
