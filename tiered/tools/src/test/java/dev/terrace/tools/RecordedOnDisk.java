// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.tiered.trace.TraceRecorder;
import dev.terrace.tiered.trace.TraceRecorder.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/** Makes recorded traces. */
final class RecordedOnDisk {

  static final int BLOCKS = 1_000;

  private RecordedOnDisk() {}

  /** Skewed reads of up to {@link #BLOCKS} blocks of 64 KB. */
  static Path make(Path folder) throws IOException {
    TraceRecorder recorder = new TraceRecorder(file -> null, System::nanoTime);
    Path file = recorder.start(new TraceRecorder.Options(folder, 1, 1, 60, false));
    Random random = new Random(1);
    for (int access = 0; access < 5_000; access++) {
      long block = (long) Math.pow(BLOCKS, random.nextDouble());
      recorder.add(Kind.READ, "file", block << 16, 1 << 16, 0);
    }
    recorder.stop();
    return file;
  }
}
