// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.FileUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FileUsagesTest {

  private static final BlockTraits DATA = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private final HeapTier dram = new HeapTier("dram");
  private final HeapTier pmem = new HeapTier("pmem");
  private final HeapTier ssd = new HeapTier("ssd");
  private final FileUsages usages = new FileUsages(FILES, List.of(dram, pmem, ssd));

  @Test
  void aFileInPartsHereAndThereIsCountedAsAWhole() {
    dram.put(file("file"), 1, "a", DATA, 0);
    pmem.put(file("file"), 2, "bb", DATA, 0);
    ssd.put(file("file"), 3, "ccc", DATA, 0);
    assertThat(usages.of(file("file"))).isEqualTo(new FileUsage(file("file"), 3, 6));
  }

  @Test
  void copiesAreCountedOnce() {
    for (HeapTier tier : List.of(dram, pmem, ssd)) {
      tier.put(file("file"), 1, "a", DATA, 0);
      tier.put(file("file"), 2, "bb", DATA, 0);
    }
    dram.put(file("file"), 3, "ccc", DATA, 0);
    assertThat(usages.of(file("file"))).isEqualTo(new FileUsage(file("file"), 3, 6));
    assertThat(usages.of(file("other"))).isEqualTo(new FileUsage(file("other"), 0, 0));
  }

  @Test
  void blocksThatShrankCountAsTheyAreServed() {
    dram.put(file("file"), 1, "a", DATA, 0);
    ssd.put(file("file"), 3, "ccc", DATA, 0);
    ssd.shrinkTo(1.0 / 4);
    assertThat(usages.of(file("file"))).isEqualTo(new FileUsage(file("file"), 2, 1 + 4 * 3));
    assertThat(usages.all())
        .toIterable()
        .containsExactly(new FileUsage(file("file"), 2, 1 + 4 * 3));
    assertThat(new FileUsages(FILES, List.of(ssd)).all())
        .toIterable()
        .containsExactly(new FileUsage(file("file"), 1, 4 * 3));
  }

  @Test
  void anyMixIsExact() {
    SplittableRandom random = new SplittableRandom(1);
    Map<String, Set<Long>> expected = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      String file = "file" + random.nextInt(5);
      long offset = random.nextInt(200);
      HeapTier tier = List.of(dram, pmem, ssd).get(random.nextInt(3));
      tier.put(file(file), offset, "x".repeat((int) offset + 1), DATA, 0);
      expected.computeIfAbsent(file, absent -> new HashSet<>()).add(offset);
    }
    List<FileUsage> all = new ArrayList<>();
    usages.all().forEachRemaining(all::add);
    assertThat(all).hasSameSizeAs(expected.keySet());
    for (FileUsage usage : all) {
      Set<Long> offsets = expected.get(usage.file().name());
      assertThat(usage.blocks()).isEqualTo(offsets.size());
      assertThat(usage.payloadBytes())
          .isEqualTo(offsets.stream().mapToLong(offset -> offset + 1).sum());
    }
  }
}
