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
package dev.terrace.bench.it;

import dev.terrace.hbase.Terrace;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * The example of a fork with a region server class of its own: these two calls embed Terrace.
 * {@link ExternalAndForkedIT} runs it.
 */
public class ForkedRegionServer extends HRegionServer {

  /** Makes a region server. HBase calls this. */
  public ForkedRegionServer(Configuration configuration) throws IOException {
    super(Terrace.prepare(configuration));
    Terrace.install(this);
  }
}
