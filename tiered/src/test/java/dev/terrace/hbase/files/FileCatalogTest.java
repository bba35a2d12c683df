// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.hbase.files.FileOrigin.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class FileCatalogTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";

  private final List<Path> open = new ArrayList<>();
  private final FileCatalog known = OpenPaths.known(open::stream);

  private static Path path(String table, String region, String file) {
    return new Path("/hbase/data/default/" + table + "/" + region + "/family/" + file);
  }

  @Test
  void whatAKeyDoesNotTellTheOpenFilesDo() {
    assertThat(known.originOf(file(FILE))).isEmpty();

    open.add(path("t", "region", FILE));
    open.add(path("t", "daughter", "fedcba9876543210fedcba9876543210.region"));

    assertThat(known.originOf(file(FILE))).isEqualTo("1 region default:t");
    assertThat(known.region(FILE)).isEqualTo("region");
    assertThat(known.table(FILE)).isEqualTo("default:t");
    assertThat(known.places(FILE)).containsExactly(new Owner.Place("default:t", "family"));
    assertThat(known.region("fedcba9876543210fedcba9876543210")).isEqualTo("daughter");
  }

  @Test
  void anOriginBringsEverythingBack() {
    known.completed(path("t", "region", FILE), new Extent(3, 300));
    FileCatalog after = OpenPaths.known(open::stream);

    after.recovered(file(FILE), known.originOf(file(FILE)));

    assertThat(after.region(FILE)).isEqualTo("region");
    assertThat(after.table(FILE)).isEqualTo("default:t");
    assertThat(after.completions()).isEqualTo(known.completions()).containsOnlyKeys(FILE);
    assertThat(after.originOf(file(FILE))).isEqualTo(known.originOf(file(FILE)));
  }

  @Test
  void whatIsKnownSinceTheStartIsBelieved() {
    known.completed(path("t", "daughter", FILE), new Extent(3, 300));

    known.recovered(file(FILE), "1 parent default:t 2 200");
    known.recovered(file("other"), "nonsense");

    assertThat(known.originOf(file(FILE))).isEqualTo("1 daughter default:t 3 300");
    assertThat(known.region("other")).isNull();
  }

  @Test
  void filesThatAreGoneAreForgotten() {
    known.completed(path("t", "region", FILE), new Extent(3, 300));
    known.recovered(file("other"), "1 region2 default:t2 2 200");

    known.retain(Set.of("other")::contains);

    assertThat(known.originOf(file(FILE))).isEmpty();
    assertThat(known.place(FILE)).isNull();
    assertThat(known.completions()).containsOnlyKeys("other");
    known.evicted("other");
    assertThat(known.completions()).isEmpty();
    assertThat(known.table("other")).isNull();
  }
}
