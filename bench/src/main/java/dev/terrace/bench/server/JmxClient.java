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
package dev.terrace.bench.server;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** Reads a server's JMX beans through its {@code /jmx} page. Safe for use by several threads. */
public final class JmxClient {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final URI address;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

  JmxClient(URI address) {
    this.address = address;
  }

  /** Returns the address of the page. */
  public URI address() {
    return address;
  }

  /** Returns the address of the page with only the beans that a query names. */
  public URI address(String query) {
    return URI.create(address + "?qry=" + query);
  }

  /**
   * Returns whether the page answers.
   *
   * @throws IOException if the server cannot be reached
   */
  public boolean answers() throws IOException {
    return !beans("java.lang:type=Runtime").isEmpty();
  }

  /**
   * Returns the beans that a query names.
   *
   * @param query an object name, or a pattern of some
   * @throws IOException if the server does not answer, or not with beans
   */
  public List<JmxBean> beans(String query) throws IOException {
    String body =
        get(URI.create(address + "?qry=" + URLEncoder.encode(query, StandardCharsets.UTF_8)));
    try {
      List<JmxBean> beans = new ArrayList<>();
      for (JsonElement bean :
          JsonParser.parseString(body).getAsJsonObject().getAsJsonArray("beans")) {
        beans.add(new JmxBean(bean.getAsJsonObject()));
      }
      return beans;
    } catch (JsonParseException | IllegalStateException e) {
      throw new IOException(address(query) + " did not answer with JSON beans", e);
    }
  }

  /**
   * Returns the one bean that a query names, or nothing when there is none.
   *
   * @throws IOException if the server does not answer, or with several beans
   */
  public Optional<JmxBean> bean(String query) throws IOException {
    List<JmxBean> beans = beans(query);
    if (beans.size() > 1) {
      throw new IOException(address(query) + " names " + beans.size() + " beans, not one");
    }
    return beans.stream().findFirst();
  }

  private String get(URI uri) throws IOException {
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(uri + " answered with HTTP status " + response.statusCode());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while reading " + uri).initCause(e);
    }
  }
}
