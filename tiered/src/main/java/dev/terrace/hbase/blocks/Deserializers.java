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
package dev.terrace.hbase.blocks;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializer;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Numbers the deserializers that blocks bring along. The one of {@link HFileBlock} is 0 always; the
 * others get their numbers as they come, so that those mean something to this instance only.
 */
final class Deserializers {

  /** The format of an {@link HFileBlock}. */
  static final int HFILE_BLOCK = 0;

  private final List<CacheableDeserializer<Cacheable>> known =
      new CopyOnWriteArrayList<>(List.of(HFileBlock.BLOCK_DESERIALIZER));

  /** The number of a deserializer, which becomes known by this. */
  int number(CacheableDeserializer<Cacheable> deserializer) {
    int number = known.indexOf(deserializer);
    return number >= 0 ? number : add(deserializer);
  }

  private synchronized int add(CacheableDeserializer<Cacheable> deserializer) {
    int number = known.indexOf(deserializer);
    if (number < 0) {
      number = known.size();
      known.add(deserializer);
    }
    return number;
  }

  /**
   * The deserializer of a number.
   *
   * @throws IOException if there is none
   */
  CacheableDeserializer<Cacheable> get(int number) throws IOException {
    if (number < 0 || number >= known.size()) {
      throw new IOException("unknown deserializer number=" + number);
    }
    return known.get(number);
  }
}
