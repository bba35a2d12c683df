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

import dev.terrace.bench.workload.CacheKind;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/**
 * Runs one cache in a JVM of its own, so that the direct memory counted is its own: prints the
 * {@link ChurnResult} as JSON to standard output, and its progress to standard error.
 */
public final class ChurnMain {

  private ChurnMain() {}

  /** Arguments: the cache's label, its capacity in bytes, seconds, threads. */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    ChurnSettings settings =
        new ChurnSettings(
            CacheKind.ofLabel(arguments[0]),
            Long.parseLong(arguments[1]),
            Duration.ofSeconds(Long.parseLong(arguments[2])),
            Integer.parseInt(arguments[3]));
    ChurnResult result = new Churn(settings, System.err).run();
    System.out.println(new Gson().toJson(result));
  }
}
