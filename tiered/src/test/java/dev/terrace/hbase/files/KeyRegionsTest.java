// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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

    assertThat(FileCatalog.KeyRegions.of(key)).isEqualTo("region");
    assertThat(FileCatalog.KeyRegions.of(path)).isEqualTo("region");
    assertThat(FileCatalog.KeyRegions.table(path)).isEqualTo("default:table");
  }

  @Test
  void aFileThatIsWrittenBelongsToTheRegionAroundIt() {
    Path path = new Path("hdfs://host/hbase/data/default/table/region/.tmp/family/file");

    assertThat(FileCatalog.KeyRegions.of(path)).isEqualTo("region");
    assertThat(FileCatalog.KeyRegions.table(path)).isEqualTo("default:table");
  }

  @Test
  void aKeyWithoutOneDoesNot() {
    assertThat(FileCatalog.KeyRegions.of(new BlockCacheKey("file", 0))).isNull();
  }

  @Test
  void aPathMayBeTooShort() {
    assertThat(FileCatalog.KeyRegions.of(new Path("file"))).isNull();
    assertThat(FileCatalog.KeyRegions.of(new Path("family/file"))).isNull();
    assertThat(FileCatalog.KeyRegions.of(new Path("/file"))).isNull();
    assertThat(FileCatalog.KeyRegions.of(new Path("/family/file"))).isNull();
  }
}
