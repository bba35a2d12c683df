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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import javax.servlet.ServletRequest;
import javax.servlet.ServletRequestWrapper;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Answers {@code GET} with the status page, with {@code ?rows=N} with up to N tables, families and
 * files; with {@code ?why=NAME} it tells why something is not cached, and with {@code &as=text} it
 * does so in plain text.
 */
final class StatusServlet extends HttpServlet {

  private static final long serialVersionUID = 1;

  private final transient IntFunction<String> html;
  private final transient UnaryOperator<String> why;

  /**
   * A servlet.
   *
   * @param html the status page with lists of so many rows
   * @param why answers for a name
   */
  StatusServlet(IntFunction<String> html, UnaryOperator<String> why) {
    this.html = html;
    this.why = why;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String name = asSent(request).getParameter(StatusText.WHY);
    if (name == null || name.isBlank()) {
      answer(response, "text/html", html.apply(rows(request)));
    } else if ("text".equals(request.getParameter("as"))) {
      answer(response, "text/plain", why.apply(name));
    } else {
      answer(response, "text/html", StatusText.why(name, why.apply(name)));
    }
  }

  /** HBase's filter escapes parameters for HTML, so that names are not found; the page does so. */
  static ServletRequest asSent(ServletRequest request) {
    return request instanceof ServletRequestWrapper wrapper
        ? asSent(wrapper.getRequest())
        : request;
  }

  private static int rows(HttpServletRequest request) {
    try {
      return Math.max(1, Integer.parseInt(request.getParameter("rows")));
    } catch (NumberFormatException e) {
      return StatusText.ROWS;
    }
  }

  private static void answer(HttpServletResponse response, String type, String body)
      throws IOException {
    response.setContentType(type);
    // Plain text has what was asked as it came.
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setCharacterEncoding(StandardCharsets.UTF_8.name());
    response.getWriter().write(body);
  }
}
