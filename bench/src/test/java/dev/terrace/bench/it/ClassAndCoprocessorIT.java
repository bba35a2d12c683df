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
package dev.terrace.bench.it;

import java.util.List;
import java.util.Map;

/** Terrace's own region server class beside HBase's class with Terrace's coprocessor. */
final class ClassAndCoprocessorIT extends EntryPointContract {

  @Override
  List<Map<String, String>> settings() {
    return List.of(
        Map.of("hbase.regionserver.impl", "dev.terrace.hbase.TerraceRegionServer"),
        Map.of("hbase.coprocessor.regionserver.classes", "dev.terrace.hbase.TerraceCoprocessor"));
  }

  @Override
  List<String> waysIn() {
    return List.of("hbase.regionserver.impl", "hbase.coprocessor.regionserver.classes");
  }
}
