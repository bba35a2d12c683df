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
package dev.terrace.bench.report;

import java.lang.reflect.Type;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonDeserializationContext;
import org.apache.hbase.thirdparty.com.google.gson.JsonDeserializer;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;
import org.apache.hbase.thirdparty.com.google.gson.JsonSerializationContext;
import org.apache.hbase.thirdparty.com.google.gson.JsonSerializer;
import org.apache.hbase.thirdparty.com.google.gson.annotations.JsonAdapter;

/**
 * A text or a figure; in JSON a string, a number, or a {@link Summary}.
 *
 * @param text null if this is a figure
 * @param figure null if this is a text
 */
@JsonAdapter(Cell.Json.class)
record Cell(String text, Summary figure) {

  /**
   * The cell of a value, if there is one.
   *
   * @param value a string, a number or a summary, maybe in an {@code Optional}; null and NaN are
   *     nothing
   */
  static Optional<Cell> of(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.flatMap(Cell::of);
    }
    if (value instanceof Number number) {
      return of(Summary.of(number.doubleValue()));
    }
    if (value instanceof Summary summary) {
      return Optional.of(new Cell(null, summary)).filter(cell -> !Double.isNaN(summary.median()));
    }
    return Optional.ofNullable(value).map(text -> new Cell(text.toString(), null));
  }

  boolean isText() {
    return text != null;
  }

  static final class Json implements JsonSerializer<Cell>, JsonDeserializer<Cell> {
    @Override
    public JsonElement serialize(Cell cell, Type type, JsonSerializationContext context) {
      if (cell.isText()) {
        return new JsonPrimitive(cell.text);
      }
      return cell.figure.count() == 1
          ? new JsonPrimitive(cell.figure.median())
          : context.serialize(cell.figure);
    }

    @Override
    public Cell deserialize(JsonElement json, Type type, JsonDeserializationContext context) {
      if (json.isJsonPrimitive() && json.getAsJsonPrimitive().isString()) {
        return new Cell(json.getAsString(), null);
      }
      return json.isJsonPrimitive()
          ? new Cell(null, Summary.of(json.getAsDouble()))
          : new Cell(null, context.deserialize(json, Summary.class));
    }
  }
}
