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
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.junit.jupiter.api.Test;

class KeyRegionsTest {

  @Test
  void aKeyWithAPathTellsTheRegion() {
    Path path = new Path("hdfs://host/hbase/data/default/table/region/family/file");

    BlockCacheKey key = new BlockCacheKey(path, 0, true, BlockType.DATA);

    assertThat(KeyRegions.of(key)).isEqualTo("region");
    assertThat(KeyRegions.of(path)).isEqualTo("region");
  }

  @Test
  void aKeyWithoutOneDoesNot() {
    assertThat(KeyRegions.of(new BlockCacheKey("file", 0))).isNull();
  }

  @Test
  void aPathMayBeTooShort() {
    assertThat(KeyRegions.of(new Path("file"))).isNull();
    assertThat(KeyRegions.of(new Path("family/file"))).isNull();
    assertThat(KeyRegions.of(new Path("/file"))).isNull();
    assertThat(KeyRegions.of(new Path("/family/file"))).isNull();
  }
}
