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
package dev.terrace.hbase.status;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of Terrace, as it was built. */
public final class TerraceVersion {

  private static final String RESOURCE = "terrace.properties";

  private TerraceVersion() {}

  public static String current() {
    Properties properties = new Properties();
    try (InputStream in = TerraceVersion.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(
            "no " + RESOURCE + " beside the classes of Terrace: the jar is incomplete");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + RESOURCE, e);
    }
    return properties.getProperty("version");
  }
}
