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

import dev.terrace.hbase.status.TerraceMXBean;
import dev.terrace.hbase.warm.list.HeatList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hbase.http.HttpServer;

/**
 * Warms tables on command: {@code POST ?name=TABLE} and {@code &all=true} starts it, {@code POST}
 * without a name ends it, {@code GET} tells how far it is. The answer is a line of text. The list
 * of another server, which {@code GET ?list=TABLE} there returns, may be the {@code POST}'s body.
 */
final class WarmServlet extends HttpServlet {

  /**
   * A request that changes something has it. No page of somebody else's can have a browser do so.
   */
  static final String HEADER = "X-Terrace";

  private static final long serialVersionUID = 1;

  private final transient TerraceMXBean bean;

  WarmServlet(TerraceMXBean bean) {
    this.bean = bean;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String table = StatusServlet.asSent(request).getParameter("list");
    if (table == null) {
      answer(response, bean::getWarming);
      return;
    }
    byte[] list;
    try {
      list = bean.heatList(table);
    } catch (IllegalArgumentException | IllegalStateException e) {
      refuse(response, e);
      return;
    }
    response.setContentType("application/octet-stream");
    response.getOutputStream().write(list);
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    // As for HBase's own pages that change something, such as that of log levels.
    if (!HttpServer.hasAdministratorAccess(getServletContext(), request, response)) {
      return;
    }
    if (request.getHeader(HEADER) == null) {
      response.sendError(HttpServletResponse.SC_FORBIDDEN, "the header " + HEADER + " is missing");
      return;
    }
    String name = StatusServlet.asSent(request).getParameter("name");
    boolean isOfAll = Boolean.parseBoolean(request.getParameter("all"));
    byte[] list = request.getInputStream().readNBytes(HeatList.MOST_BYTES + 1);
    if (name == null) {
      answer(response, bean::stopWarming);
    } else if (list.length > 0) {
      answer(response, () -> bean.startWarmingBy(name, list));
    } else {
      answer(response, () -> bean.startWarming(name, isOfAll));
    }
  }

  private static void answer(HttpServletResponse response, Supplier<String> action)
      throws IOException {
    try {
      write(response, action.get());
    } catch (IllegalArgumentException | IllegalStateException e) {
      refuse(response, e);
    }
  }

  private static void refuse(HttpServletResponse response, RuntimeException cause)
      throws IOException {
    response.setStatus(
        cause instanceof IllegalArgumentException
            ? HttpServletResponse.SC_BAD_REQUEST
            : HttpServletResponse.SC_CONFLICT);
    write(response, cause.getMessage());
  }

  private static void write(HttpServletResponse response, String text) throws IOException {
    response.setContentType("text/plain");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setCharacterEncoding(StandardCharsets.UTF_8.name());
    response.getWriter().println(text);
  }
}
