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

import dev.terrace.api.Access;
import dev.terrace.api.Source;
import dev.terrace.hbase.files.StoreFileNames;
import dev.terrace.tiered.trace.TraceRecorder;
import dev.terrace.tiered.trace.TracedAccess.Kind;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/** Records HBase's reads and puts into a trace. */
public final class TracedBlocks {

  private TracedBlocks() {}

  /**
   * Records a lookup that counts: not the second one of a read.
   *
   * @param block what was found; null after a miss
   */
  public static void read(TraceRecorder traces, BlockCacheKey key, Access access, Cacheable block) {
    if (access != Access.UNCOUNTED) {
      add(traces, access.isCaching() ? Kind.READ : Kind.PASSING_READ, key, block);
    }
  }

  /** Records that HBase cached a block, whether a tier took it or not. */
  public static void put(TraceRecorder traces, BlockCacheKey key, Cacheable block, Source source) {
    add(traces, source == Source.AHEAD ? Kind.PUT_AHEAD : Kind.PUT, key, block);
  }

  private static void add(TraceRecorder traces, Kind kind, BlockCacheKey key, Cacheable block) {
    BlockType known = block == null ? null : block.getBlockType();
    BlockType type = known == null ? key.getBlockType() : known;
    String file = StoreFileNames.physical(key.getHfileName());
    int sizeBytes = block == null ? 0 : block.getSerializedLength();
    traces.add(kind, file, key.getOffset(), sizeBytes, BlockTypes.number(type));
  }
}
