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
package dev.terrace.bench.churn;

import dev.terrace.bench.workload.BenchmarkProcess;
import java.io.IOException;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/** {@link ChurnMain} in a process of its own. */
final class ChurnProcess {

  private final ChurnSettings settings;
  private final List<String> jvmArguments;

  ChurnProcess(ChurnSettings settings, List<String> jvmArguments) {
    this.settings = settings;
    this.jvmArguments = jvmArguments;
  }

  /**
   * Runs it to its end.
   *
   * @throws IOException if it fails; what it said is on standard error
   */
  ChurnResult run() throws IOException, InterruptedException {
    String output =
        new BenchmarkProcess(
                ChurnMain.class,
                jvmArguments,
                List.of(
                    settings.cache().label(),
                    Long.toString(settings.capacityBytes()),
                    Long.toString(settings.time().toSeconds()),
                    Integer.toString(settings.threads())))
            .run();
    return new Gson().fromJson(output, ChurnResult.class);
  }
}
