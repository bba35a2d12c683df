// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.promises;

import dev.terrace.bench.report.Result;
import java.io.IOException;
import java.util.function.Consumer;

/** A part of the guard. */
@FunctionalInterface
public interface Part {

  /** Measures, prints its steps, and adds figures and promises to the result. */
  void measure(Result result, Consumer<String> console) throws IOException, InterruptedException;
}
