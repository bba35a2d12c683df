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
package dev.terrace.bench.pause;

import dev.terrace.bench.workload.CacheKind;
import java.io.IOException;
import java.time.Duration;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/**
 * Runs {@link PauseRun} or {@link StallRun} in a JVM of its own, and prints {@link PauseResult} or
 * the {@link StallResult}s as JSON.
 */
public final class PauseMain {

  static final String PAUSE = "pause";
  static final String STALL = "stall";

  private PauseMain() {}

  /** Arguments: what to do, and seconds; for pauses also the cache and the large file's blocks. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Duration time = Duration.ofSeconds(Long.parseLong(arguments[1]));
    Object result =
        arguments[0].equals(STALL)
            ? new StallRun(time).run()
            : new PauseRun(
                    new PauseSettings(
                        CacheKind.ofLabel(arguments[2]), time, Integer.parseInt(arguments[3])))
                .run();
    System.out.println(new Gson().toJson(result));
    // BucketCache leaves threads behind that would keep the process alive.
    System.exit(0);
  }
}
