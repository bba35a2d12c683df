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
package dev.terrace.hbase.status;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Bounds what is listed by region, table or family: there may be thousands of them. */
final class Largest {

  /** An attribute lists so many: a client that asks for one of a bean mostly gets them all. */
  static final int LISTED = 100;

  private Largest() {}

  /**
   * The largest ones, the largest first.
   *
   * @param most how many at most, from 1
   */
  static <V> Map<String, V> of(Map<String, V> all, int most, ToLongFunction<V> size) {
    if (most < 1) {
      throw new IllegalArgumentException("most=" + most + ": use a number from 1");
    }
    Map<String, V> largest = new LinkedHashMap<>();
    all.entrySet().stream()
        .sorted(
            Comparator.comparing(
                    (Map.Entry<String, V> entry) -> -size.applyAsLong(entry.getValue()))
                .thenComparing(Map.Entry::getKey))
        .limit(most)
        .forEach(entry -> largest.put(entry.getKey(), entry.getValue()));
    return largest;
  }

  /** The largest ones of each tier. */
  static Map<String, Map<String, Long>> ofEach(Map<String, Map<String, Long>> byTier, int most) {
    Map<String, Map<String, Long>> largest = new LinkedHashMap<>();
    byTier.forEach((tier, all) -> largest.put(tier, of(all, most, Long::longValue)));
    return largest;
  }

  /** Those with the largest sums. */
  static Map<String, Map<String, Long>> ofSums(Map<String, Map<String, Long>> all, int most) {
    return of(all, most, of -> of.values().stream().mapToLong(Long::longValue).sum());
  }
}
