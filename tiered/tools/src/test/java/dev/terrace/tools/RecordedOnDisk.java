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
package dev.terrace.tools;

import dev.terrace.tiered.trace.TraceOptions;
import dev.terrace.tiered.trace.TraceRecorder;
import dev.terrace.tiered.trace.TracedAccess.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/** Makes recorded traces. */
final class RecordedOnDisk {

  static final int BLOCKS = 1_000;

  private RecordedOnDisk() {}

  /** Skewed reads of up to {@link #BLOCKS} blocks of 64 KB. */
  static Path make(Path folder) throws IOException {
    TraceRecorder recorder = new TraceRecorder(file -> null, System::nanoTime);
    Path file = recorder.start(new TraceOptions(folder, 1, 1 << 20, Duration.ofMinutes(1), false));
    Random random = new Random(1);
    for (int access = 0; access < 5_000; access++) {
      long block = (long) Math.pow(BLOCKS, random.nextDouble());
      recorder.add(Kind.READ, "file", block << 16, 1 << 16, 0);
    }
    recorder.stop();
    return file;
  }
}
