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
package dev.terrace.bench.inside;

import java.util.Map;

/** What a region server has at the moment. */
public interface ServerContentsMXBean {

  /** The name of the bean. */
  String NAME = "dev.terrace.bench:type=ServerContents";

  /** The number of stores that have a file open, by the name of the file that its blocks are in. */
  Map<String, Long> getOpenFiles();

  /** The number of cached blocks by their file. */
  Map<String, Long> getCachedBlocks();

  /**
   * Buffers that HBase took from its pool and that are not back, less what HBase itself loses: one
   * when it closes a half of a file, since it does not close the scanner that it seeks with then.
   */
  int getLostBuffers();

  /** The bytes that the threads of this moment have allocated on the heap since they began. */
  long getAllocatedBytes();
}
