// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.CacheFile;
import dev.terrace.hbase.TestBlocks;
import dev.terrace.hbase.files.FileOrigin.Extent;
import dev.terrace.hbase.files.OnlineRegion.OpenStoreFile.Stage;
import java.util.ArrayList;
import java.util.List;
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
    assertThat(file(FILE).origin()).isEmpty();

    open.add(path("t", "region", FILE));
    open.add(path("t", "daughter", "fedcba9876543210fedcba9876543210.region"));

    known.learnOpenFiles();
    assertThat(file(FILE).origin()).isEqualTo("1 region default:t");
    assertThat(known.owner(file(FILE)).region()).isEqualTo("region");
    assertThat(known.owner(file(FILE)).table()).isEqualTo("default:t");
    assertThat(known.places(file(FILE))).containsExactly(new Owner.Place("default:t", "family"));
    assertThat(known.owner(file("fedcba9876543210fedcba9876543210")).region())
        .isEqualTo("daughter");
  }

  @Test
  void anOriginBringsEverythingBack() {
    CacheFile before = file(FILE);
    known.completed(path("t", "region", FILE), new Extent(3, 300));
    CacheFile after = file("other");

    after.recovered(before.origin());

    assertThat(known.owner(after).region()).isEqualTo("region");
    assertThat(known.owner(after).table()).isEqualTo("default:t");
    assertThat(after.origin()).isEqualTo(before.origin()).endsWith(" 3 300");
  }

  @Test
  void whatIsKnownSinceTheStartIsBelieved() {
    CacheFile file = file(FILE);
    known.completed(path("t", "daughter", FILE), new Extent(3, 300));

    file.recovered("1 parent default:t 2 200");
    file("other").recovered("nonsense");

    assertThat(file.origin()).isEqualTo("1 daughter default:t 3 300");
    assertThat(known.owner(file("other")).region()).isNull();
  }

  @Test
  void anEvictedFileIsForgottenWithWhatReadItByReference() {
    String reference = FILE + ".fedcba9876543210fedcba9876543210";
    CacheFile file = file(FILE);
    known.completed(path("t", "region", FILE), new Extent(3, 300));
    known.completed(path("t", "daughter", reference), new Extent(2, 200));
    file("other").recovered("1 region2 default:t2 2 200");
    assertThat(completed()).containsExactlyInAnyOrder(FILE, reference, "other");

    known.deleted(reference);
    assertThat(completed()).containsExactlyInAnyOrder(FILE, "other");
    known.completed(path("t", "daughter", reference), new Extent(2, 200));
    known.evicted(file);

    assertThat(file.origin()).isEmpty();
    assertThat(known.owner(file).place()).isNull();
    assertThat(completed()).containsExactly("other");
    assertThat(known.completion(reference)).isNull();
  }

  @Test
  void whatIsToldOfAFileThatNobodyHasIsNotKept() {
    known.completed(path("t", "region", FILE), new Extent(3, 300));
    known.read(known.find(FILE), TestBlocks.key(FILE, 0));

    assertThat(completed()).isEmpty();
    assertThat(FILES.all()).isEmpty();
  }

  @Test
  void aFileLastsAsLongAsAStoreListsIt() {
    open.add(path("t", "region", FILE));
    known.learnOpenFiles();
    CacheFile file = known.find(FILE);
    known.completed(path("t", "region", FILE), new Extent(3, 300));
    known.learnOpenFiles();
    assertThat(known.find(FILE)).isSameAs(file);

    open.clear();
    known.learnOpenFiles();
    assertThat(FILES.all()).isEmpty();
    assertThat(known.owner(known.find(FILE)).region()).isNull();
  }

  @Test
  void aFileWithBlocksOutlastsItsStoreAndRemembersIt() {
    CacheFile file = file(FILE);
    open.add(path("t", "region", FILE));
    known.learnOpenFiles();
    open.clear();
    known.learnOpenFiles();

    assertThat(FILES.all()).containsExactly(file);
    assertThat(known.owner(file).region()).isEqualTo("region");
    open.add(path("t", "region", "fedcba9876543210fedcba9876543210"));
    known.learnOpenFiles();
    assertThat(known.owner(file).region()).as("its region is open without it").isNull();
  }

  @Test
  void anOpenedRegionHoldsItsFilesBeforeAnyScan() {
    Path path = path("t", "region", FILE);
    OnlineRegion region =
        new OnlineRegion("region", true, List.of(OpenPaths.file(path, Stage.OPEN)));
    known.opened(region);
    known.opened(region);
    CacheFile file = known.find(FILE);
    assertThat(known.owners(file)).extracting(Owner::region).containsExactly("region");
    assertThat(known.storesOf(file)).hasSize(1);

    known.learnOpenFiles();
    assertThat(FILES.all()).as("it has closed").isEmpty();
  }

  @Test
  void aFileThatAThreadWritesIsHeldUntilAScanDoesNotFindIt() {
    CacheFile written = known.open().held(known.find(FILE));
    assertThat(known.open().held(known.find(FILE))).isSameAs(written);
    open.add(path("t", "region", FILE));
    known.learnOpenFiles();
    assertThat(known.open().held(known.find(FILE))).isSameAs(written);

    open.clear();
    known.learnOpenFiles();
    assertThat(FILES.all()).isEmpty();
  }

  private List<String> completed() {
    return known.completions().map(FileFacts.Completion::name).toList();
  }
}
