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

import dev.terrace.bench.hbase.CacheConfiguration;
import dev.terrace.bench.slow.SlowProfile;

/**
 * A server as a case needs it.
 *
 * @param name short name, also of its folder; unique in a run
 * @param title its name for people
 * @param cache its block cache
 * @param store what its files are on
 */
record CaseSetup(String name, String title, CacheConfiguration cache, SlowProfile store) {

  boolean isTerrace() {
    return cache.withDropInJar();
  }
}
