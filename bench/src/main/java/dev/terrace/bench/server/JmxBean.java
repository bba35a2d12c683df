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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * The attributes of a JMX bean, or of one composite value in it, with an error that names what is
 * missing. Names are found in either case of their first letter: beans write them in upper case,
 * composite values in lower case.
 */
public record JmxBean(JsonObject json) {

  /** Returns whether there is such an attribute. */
  public boolean has(String name) {
    return json.has(name);
  }

  /**
   * Returns a number.
   *
   * @throws IOException if there is none of that name
   */
  public long number(String name) throws IOException {
    JsonElement value = required(name);
    try {
      return value.getAsBigDecimal().longValue();
    } catch (NumberFormatException | IllegalStateException | UnsupportedOperationException e) {
      throw new IOException("JMX attribute " + name + " is not a number: " + value, e);
    }
  }

  /**
   * Returns a text.
   *
   * @throws IOException if there is none of that name
   */
  public String text(String name) throws IOException {
    return required(name).getAsString();
  }

  List<JmxBean> list(String name) throws IOException {
    List<JmxBean> values = new ArrayList<>();
    for (JsonElement element : required(name).getAsJsonArray()) {
      values.add(new JmxBean(element.getAsJsonObject()));
    }
    return values;
  }

  /**
   * Returns a map of numbers: the page shows one as a list of pairs {@code key} and {@code value}.
   */
  Map<String, Long> numbersByName(String name) throws IOException {
    Map<String, Long> values = new TreeMap<>();
    for (JmxBean pair : list(name)) {
      values.put(pair.text("key"), pair.number("value"));
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
