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
package dev.terrace.bench.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Tells the version that the build gave the block cache. */
public final class ProductVersion implements IVersionProvider {

  private static final String RESOURCE = "/dev/terrace/hbase/status/terrace.properties";

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {"Terrace " + number()};
  }

  /** The number alone. */
  public static String number() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = ProductVersion.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IOException("the class path does not hold " + RESOURCE);
      }
      properties.load(in);
    }
    return properties.getProperty("version");
  }
}
