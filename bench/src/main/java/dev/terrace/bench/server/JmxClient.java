// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.com.google.common.collect.Maps;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** Reads a server's JMX beans from its {@code /jmx} page. Thread-safe. */
public final class JmxClient {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final URI address;
  private final Duration timeout;
  private final HttpClient http;

  /** A reader of the page at this address, with a timeout of five seconds. */
  public JmxClient(URI address) {
    this(address, TIMEOUT);
  }

  /** A reader of the page at this address, with a timeout. */
  public JmxClient(URI address, Duration timeout) {
    this.address = address;
    this.timeout = timeout;
    this.http = HttpClient.newBuilder().connectTimeout(timeout).build();
  }

  public URI address() {
    return address;
  }

  public boolean answers() throws IOException {
    return !beans("java.lang:type=Runtime").isEmpty();
  }

  /** Returns the beans of an object name, or of a pattern. */
  public List<Bean> beans(String query) throws IOException {
    URI uri = URI.create(address + "?qry=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(timeout).build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(uri + " answered with HTTP status " + response.statusCode());
      }
      JsonObject json = JsonParser.parseString(response.body()).getAsJsonObject();
      return Bean.all(json.getAsJsonArray("beans"));
    } catch (JsonParseException | IllegalStateException e) {
      throw new IOException(uri + " did not answer with JSON beans", e);
    } catch (HttpTimeoutException e) {
      throw new IOException(uri + " did not answer within " + timeout.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while reading " + uri).initCause(e);
    }
  }

  /** Returns the one bean that a query names, or nothing if there is none. */
  public Optional<Bean> bean(String query) throws IOException {
    List<Bean> beans = beans(query);
    if (beans.size() > 1) {
      throw new IOException(query + " names " + beans.size() + " beans, not one");
    }
    return beans.stream().findFirst();
  }

  /**
   * The attributes of a JMX bean, or of one composite value in it; a missing one throws an error
   * with its name. The first letter of a name matches in either case: beans use upper case,
   * composite values lower case.
   */
  public record Bean(JsonObject json) {

    private static List<Bean> all(JsonArray values) {
      List<Bean> beans = new ArrayList<>();
      values.forEach(value -> beans.add(new Bean(value.getAsJsonObject())));
      return beans;
    }

    public boolean has(String name) {
      return json.has(name);
    }

    public long number(String name) throws IOException {
      return decimal(name).longValue();
    }

    private BigDecimal decimal(String name) throws IOException {
      JsonElement value = required(name);
      try {
        return value.getAsBigDecimal();
      } catch (NumberFormatException | IllegalStateException | UnsupportedOperationException e) {
        throw new IOException("JMX attribute " + name + " is not a number: " + value, e);
      }
    }

    public String text(String name) throws IOException {
      return required(name).getAsString();
    }

    public Bean composite(String name) throws IOException {
      return new Bean(required(name).getAsJsonObject());
    }

    List<Bean> list(String name) throws IOException {
      return all(required(name).getAsJsonArray());
    }

    /**
     * Returns a map of numbers: the page shows it as a list of {@code key} and {@code value} pairs.
     */
    public Map<String, Long> numbersByName(String name) throws IOException {
      return new TreeMap<>(Maps.transformValues(valuesByName(name), Double::longValue));
    }

    /** Returns a map of numbers that may have a fraction. */
    Map<String, Double> valuesByName(String name) throws IOException {
      Map<String, Double> values = new TreeMap<>();
      for (Bean pair : list(name)) {
        values.put(pair.text("key"), pair.decimal("value").doubleValue());
      }
      return values;
    }

    private JsonElement required(String name) throws IOException {
      JsonElement value = json.get(name);
      if (value == null) {
        value = json.get(Character.toUpperCase(name.charAt(0)) + name.substring(1));
      }
      if (value == null || value.isJsonNull()) {
        throw new IOException("JMX has no attribute '" + name + "' among " + json.keySet());
      }
      return value;
    }
  }
}
