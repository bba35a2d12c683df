// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.junit.jupiter.api.Test;

class OwnerTest {

  @Test
  void aKeyWithAPathTellsTheRegion() {
    Path path = new Path("hdfs://host/hbase/data/default/table/region/family/file");

    BlockCacheKey key = new BlockCacheKey(path, 0, true, BlockType.DATA);

    assertThat(Owner.of(key).region()).isEqualTo("region");
    assertThat(Owner.of(path).region()).isEqualTo("region");
    assertThat(Owner.of(path).table()).isEqualTo("default:table");
  }

  @Test
  void aFileThatIsWrittenBelongsToTheRegionAroundIt() {
    Path path = new Path("hdfs://host/hbase/data/default/table/region/.tmp/family/file");

    assertThat(Owner.of(path).region()).isEqualTo("region");
    assertThat(Owner.of(path).table()).isEqualTo("default:table");
  }

  @Test
  void aKeyWithoutOneDoesNot() {
    assertThat(Owner.of(new BlockCacheKey("file", 0)).region()).isNull();
  }

  @Test
  void aPathMayBeTooShort() {
    assertThat(Owner.of(new Path("file")).region()).isNull();
    assertThat(Owner.of(new Path("family/file")).region()).isNull();
    assertThat(Owner.of(new Path("/file")).region()).isNull();
    assertThat(Owner.of(new Path("/family/file")).region()).isNull();
  }
}
