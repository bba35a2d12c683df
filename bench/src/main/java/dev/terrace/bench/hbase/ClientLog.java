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
package dev.terrace.bench.hbase;

import java.nio.file.Path;

/** Sends what HBase's client logs in this JVM to a file, so that the console is left alone. */
public final class ClientLog {

  private ClientLog() {}

  /** Takes effect if nothing was logged before. */
  public static void writeTo(Path file) {
    System.setProperty("terrace.client.log", file.toString());
    System.setProperty(
        "log4j.configuration", ClientLog.class.getResource("client-log4j.properties").toString());
  }
}
