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
package dev.terrace.bench.report.runs;

import dev.terrace.bench.report.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * The fields of a JSON object. One that is absent is no error, and one that is of another type than
 * asked for is: its exception names the file and the place in it.
 */
final class Fields {

  private final String place;
  private final JsonObject object;

  /**
   * @param place the file, and where in it the object is
   */
  Fields(String place, JsonObject object) {
    this.place = place;
    this.object = object;
  }

  /** A string, or what else is no list and no object. */
  Optional<String> text(String name) throws RunFileException {
    Optional<JsonElement> value = value(name);
    if (value.isPresent() && !value.get().isJsonPrimitive()) {
      throw wrong(name, "a text");
    }
    return value.map(JsonElement::getAsString);
  }

  /** A string that must be there. */
  String needText(String name) throws RunFileException {
    return text(name).orElseThrow(() -> wrong(name, "a text"));
  }

  /** A finite number. */
  OptionalDouble number(String name) throws RunFileException {
    Optional<JsonElement> value = value(name);
    if (value.isEmpty()) {
      return OptionalDouble.empty();
    }
    if (!isNumber(value.get())) {
      throw wrong(name, "a number");
    }
    return OptionalDouble.of(value.get().getAsDouble());
  }

  /** A finite number that must be there. */
  double needNumber(String name) throws RunFileException {
    return number(name).orElseThrow(() -> wrong(name, "a number"));
  }

  /** True or false. */
  Optional<Boolean> flag(String name) throws RunFileException {
    Optional<JsonElement> value = value(name);
    if (value.isPresent()
        && !(value.get().isJsonPrimitive() && value.get().getAsJsonPrimitive().isBoolean())) {
      throw wrong(name, "true or false");
    }
    return value.map(JsonElement::getAsBoolean);
  }

  /** A summary; a bare number is one of a single measurement. */
  Optional<Summary> summary(String name) throws RunFileException {
    Optional<JsonElement> value = value(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    if (isNumber(value.get())) {
      return Optional.of(Summary.of(value.get().getAsDouble()));
    }
    if (!value.get().isJsonObject()) {
      throw wrong(name, "a number, or an object with median, min, max and count");
    }
    Fields fields = new Fields(place + "." + name, value.get().getAsJsonObject());
    double median = fields.needNumber("median");
    return Optional.of(
        new Summary(
            median,
            fields.number("min").orElse(median),
            fields.number("max").orElse(median),
            (int) fields.number("count").orElse(1)));
  }

  /** A summary that must be there. */
  Summary needSummary(String name) throws RunFileException {
    return summary(name)
        .orElseThrow(() -> wrong(name, "a number, or an object with median, min, max and count"));
  }

  /** An object. */
  Optional<Fields> object(String name) throws RunFileException {
    Optional<JsonElement> value = value(name);
    if (value.isPresent() && !value.get().isJsonObject()) {
      throw wrong(name, "an object");
    }
    return value.map(element -> new Fields(place + "." + name, element.getAsJsonObject()));
  }

  /** A list of objects; empty if it is absent. */
  List<Fields> list(String name) throws RunFileException {
    List<Fields> list = new ArrayList<>();
    for (JsonElement element : elements(name)) {
      String elementPlace = place + "." + name + "[" + list.size() + "]";
      if (!element.isJsonObject()) {
        throw new RunFileException(elementPlace + " must be an object");
      }
      list.add(new Fields(elementPlace, element.getAsJsonObject()));
    }
    return list;
  }

  /** A list of objects that must be there and not be empty. */
  List<Fields> needList(String name) throws RunFileException {
    List<Fields> list = list(name);
    if (list.isEmpty()) {
      throw wrong(name, "a list of at least one object");
    }
    return list;
  }

  /** A list of numbers; empty if it is absent. */
  List<Double> numbers(String name) throws RunFileException {
    List<Double> numbers = new ArrayList<>();
    for (JsonElement element : elements(name)) {
      if (!isNumber(element)) {
        throw wrong(name, "a list of numbers");
      }
      numbers.add(element.getAsDouble());
    }
    return numbers;
  }

  /** A list of lists of two numbers; empty if it is absent. */
  List<double[]> pairs(String name) throws RunFileException {
    List<double[]> pairs = new ArrayList<>();
    for (JsonElement element : elements(name)) {
      if (!element.isJsonArray()
          || element.getAsJsonArray().size() != 2
          || !isNumber(element.getAsJsonArray().get(0))
          || !isNumber(element.getAsJsonArray().get(1))) {
        throw wrong(name, "a list of pairs of numbers");
      }
      pairs.add(
          new double[] {
            element.getAsJsonArray().get(0).getAsDouble(),
            element.getAsJsonArray().get(1).getAsDouble()
          });
    }
    return pairs;
  }

  /** All names and values, in the order of the file. */
  Iterable<Map.Entry<String, JsonElement>> entries() {
    return object.entrySet();
  }

  /** An exception that says what a field must be, and what it is. */
  RunFileException wrong(String name, String wanted) {
    String is =
        value(name).map(element -> ", and is " + shortened(element)).orElse(", and is missing");
    return new RunFileException(place + "." + name + " must be " + wanted + is);
  }

  static boolean isNumber(JsonElement element) {
    return element.isJsonPrimitive()
        && element.getAsJsonPrimitive().isNumber()
        && Double.isFinite(element.getAsDouble());
  }

  private Iterable<JsonElement> elements(String name) throws RunFileException {
    Optional<JsonElement> value = value(name);
    if (value.isEmpty()) {
      return List.of();
    }
    if (!value.get().isJsonArray()) {
      throw wrong(name, "a list");
    }
    return value.get().getAsJsonArray();
  }

  private Optional<JsonElement> value(String name) {
    return Optional.ofNullable(object.get(name)).filter(element -> !element.isJsonNull());
  }

  private static String shortened(JsonElement element) {
    String text = element.toString();
    return text.length() > 40 ? text.substring(0, 40) + "..." : text;
  }
}
