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
package dev.terrace.bench.slow;

import javax.management.MXBean;

/** The counters of a simulated slow store in JMX, {@code dev.terrace.bench:type=SlowStore}. */
@MXBean
public interface SlowStoreMXBean {

  /** Returns the numbers of the simulation, in words. */
  String getProfile();

  /** Returns how many requests moved data: positional reads, seeks of a stream, files written. */
  long getDataRequests();

  /** Returns how many requests moved none. */
  long getMetadataRequests();

  long getReadBytes();

  long getWrittenBytes();

  /** Returns for how long threads have waited for it, all together. */
  long getWaitedMillis();
}
