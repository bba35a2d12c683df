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

import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.junit.jupiter.api.Test;

class MobFamiliesTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String REGION = "fedcba9876543210fedcba9876543210";
  private static final String FOLDER = "/hbase/data/default/t/" + REGION + "/";

  private final KnownFiles known = OpenPaths.known(() -> Stream.of(new Path(FOLDER + "f", FILE)));
  private final MobFamilies families =
      new MobFamilies(known, (region, family) -> region.equals(REGION) && family.equals("f"));

  private static BlockCacheKey keyWithPath(String family) {
    return new BlockCacheKey(new Path(FOLDER + family, FILE), 0, true, BlockType.DATA);
  }

  @Test
  void theKeyTellsRegionAndFamily() {
    assertThat(families.mayHave(keyWithPath("f"))).isFalse();
    assertThat(families.mayHave(keyWithPath("mob"))).isTrue();
  }

  @Test
  void whatTheKeyLacksIsKnownOfTheFile() {
    BlockCacheKey key = new BlockCacheKey(FILE, 0);
    assertThat(families.mayHave(key)).as("of an unknown file").isTrue();

    known.learnOpenFiles();

    assertThat(families.mayHave(key)).isFalse();
    assertThat(families.mayHave(new BlockCacheKey("f" + FILE.substring(1), 0))).isTrue();
  }
}
