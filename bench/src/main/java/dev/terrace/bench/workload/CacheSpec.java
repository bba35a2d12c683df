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
package dev.terrace.bench.workload;

import java.nio.file.Path;
import java.util.List;

/**
 * What a cache is opened with.
 *
 * @param capacityBytes the configured bytes
 * @param blockSizeBytes the size that most blocks have, which some caches size their maps with
 * @param bucketSizesBytes BucketCache's size classes; empty for its defaults
 * @param fileDirectory where caches in files keep them: an absolute path of the user's own
 * @param pmemDirectory where caches in mapped files keep them: the same
 */
public record CacheSpec(
    long capacityBytes,
    int blockSizeBytes,
    List<Integer> bucketSizesBytes,
    Path fileDirectory,
    Path pmemDirectory) {

  /**
   * Room for all of a set's blocks in each of the caches, with what their bookkeeping, their size
   * classes and their watermarks cost.
   */
  public static CacheSpec withRoomFor(BlockSet blocks, int blockSizeBytes, Scratch scratch) {
    long headroomBytes = Math.max(64L << 20, blocks.payloadBytes() / 2);
    return new CacheSpec(
        blocks.payloadBytes() + headroomBytes,
        blockSizeBytes,
        List.of(),
        scratch.fileDirectory(),
        scratch.pmemDirectory());
  }

  int expectedBlocks() {
    return Math.toIntExact(capacityBytes / blockSizeBytes);
  }
}
