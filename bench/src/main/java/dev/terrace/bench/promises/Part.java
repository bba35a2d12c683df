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
