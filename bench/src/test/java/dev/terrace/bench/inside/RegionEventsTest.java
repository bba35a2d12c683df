// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.bench.inside.ServerContents.RegionEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.junit.jupiter.api.Test;

final class RegionEventsTest {

  private static final InternalScanner ENDLESS =
      new InternalScanner() {
        @Override
        public boolean next(List<Cell> cells, ScannerContext limits) {
          return cells.add(new KeyValue(new byte[8], new byte[1], new byte[1], new byte[100]));
        }

        @Override
        public void close() {}
      };

  private static InternalScanner compacted() throws IOException {
    CompactionRequestImpl request = new CompactionRequestImpl(List.of());
    return new RegionEvents().preCompact(null, null, ENDLESS, null, null, request);
  }

  @Test
  void aMarkerMakesOneCompactionFail() throws IOException {
    Path marker = Path.of(System.getProperty("java.io.tmpdir"), RegionEvents.MARKER);
    Files.createFile(marker);
    InternalScanner failing = compacted();

    assertThat(marker).doesNotExist();
    assertThat(compacted()).isSameAs(ENDLESS);
    assertThatThrownBy(() -> failing.next(new ArrayList<>(), null))
        .hasMessage("this compaction was made to fail");
  }
}
