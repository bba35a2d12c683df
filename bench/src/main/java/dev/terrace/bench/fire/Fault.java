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
package dev.terrace.bench.fire;

import java.io.IOException;
import java.util.SplittableRandom;

/**
 * Something that happens to a cluster.
 *
 * @param name one or two words, for the time line
 * @param weight how often it is chosen, compared with others
 */
record Fault(String name, int weight, Strike strike) {

  /** Does it to something that the random numbers choose. */
  @FunctionalInterface
  interface Strike {

    /**
     * Returns what it was done to.
     *
     * @throws IOException if HBase refused
     */
    String on(SplittableRandom random) throws IOException;
  }
}
