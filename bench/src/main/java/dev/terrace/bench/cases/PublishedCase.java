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
package dev.terrace.bench.cases;

import dev.terrace.bench.hbase.RunFailure;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** A comparison that others have published, and how it is repeated here. */
interface PublishedCase {

  /** Returns all of them, in the order of their letters. */
  static List<PublishedCase> all() {
    return List.of(
        new PmemOrDramCase(),
        new BeyondDramCase(),
        new ObjectStoreCase(),
        new AllCachedCase(),
        new LocalFilesCase(),
        new WarmRestartCase());
  }

  /** Returns the letters of all. */
  static List<String> letters() {
    return all().stream().map(published -> published.about().letter()).toList();
  }

  /**
   * Returns those that were named, or all when none was, in the order of their letters.
   *
   * @throws IllegalArgumentException if there is no such letter
   */
  static List<PublishedCase> named(List<String> letters) {
    for (String letter : letters) {
      if (!letters().contains(letter)) {
        throw new IllegalArgumentException(
            "'" + letter + "' is no case; there are " + String.join(" ", letters()));
      }
    }
    Stream<PublishedCase> all = all().stream();
    return letters.isEmpty()
        ? all.toList()
        : all.filter(published -> letters.contains(published.about().letter())).toList();
  }

  /** Returns what it is about. */
  CaseText about();

  /** Returns about how long it takes on two idle cores with measured runs of so many seconds. */
  double plannedSeconds(CaseOptions options);

  /**
   * Measures it.
   *
   * @throws IOException if a server or the disk fails
   * @throws RunFailure if something that was read was wrong
   */
  CaseResult measure(CaseBench bench) throws IOException, RunFailure;
}
