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
package dev.terrace.hbase.settings;

/**
 * One key of hbase-site.xml that Terrace reads. {@link TerraceSettings} has all of them.
 *
 * @param key the key
 * @param kind which values it may have
 * @param defaultValue as it would be written
 * @param meaning what it does, as in the README
 * @param live whether a change takes effect without a restart
 */
public record Setting<T>(
    String key, Kind<T> kind, String defaultValue, String meaning, boolean live) {

  /** The value of a text that has no fault. */
  T read(String text) {
    return kind.read(
        text,
        (what, remedy) -> {
          throw new IllegalStateException(key + "=" + text + " " + what);
        });
  }

  /** A value as one would write it. */
  public String text(T value) {
    return kind.write(value);
  }

  /** The key with a value, as messages name it. */
  public String with(T value) {
    return key + "=" + text(value);
  }
}
