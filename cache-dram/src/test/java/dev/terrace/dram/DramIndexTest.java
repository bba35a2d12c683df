// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.dram;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.BlockKey;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.FileUsage;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class DramIndexTest {

  private static final BlockTraits TRAITS = new BlockTraits(0, BlockTraits.Residency.ORDINARY);

  private final DramIndex<Object> index = new DramIndex<>();

  private static DramEntry<Object> entry(String file, long offset) {
    return new DramEntry<>(null, new BlockKey(file(file), offset), 10, 1, TRAITS, 0);
  }

  @Test
  void findsByFileAndOffset() {
    DramEntry<Object> a1 = entry("a", 1);
    DramEntry<Object> b1 = entry("b", 1);
    assertThat(index.insert(a1)).isTrue();
    assertThat(index.insert(b1)).isTrue();
    assertThat(index.insert(entry("a", 1))).isFalse();
    assertThat(index.find(file("a"), 1)).isSameAs(a1);
    assertThat(index.find(file("b"), 1)).isSameAs(b1);
    assertThat(index.find(file("a"), 2)).isNull();
    assertThat(index.find(file("c"), 1)).isNull();
    assertThat(index.entries(file("a"), 0, Long.MAX_VALUE)).containsExactly(a1);
    assertThat(index.entries(file("c"), 0, Long.MAX_VALUE)).isEmpty();
    assertThat(index.usage(file("a"))).isEqualTo(new FileUsage(file("a"), 1, 10));
    assertThat(index.usage(file("c"))).isEqualTo(new FileUsage(file("c"), 0, 0));
  }

  @Test
  void fileComesBackAfterItsLastBlockLeft() {
    for (int i = 0; i < 100; i++) {
      DramEntry<Object> entry = entry("file", i);
      assertThat(index.insert(entry)).isTrue();
      index.remove(entry);
      index.remove(entry);
      assertThat(index.find(file("file"), i)).isNull();
      assertThat(index.files()).isExhausted();
    }
  }

  @Test
  void iteratorsEnd() {
    index.insert(entry("a", 1));
    index.insert(entry("a", 2));
    index.insert(entry("b", 1));
    Iterator<DramEntry<Object>> entries = index.walk().iterator();
    for (int i = 0; i < 3; i++) {
      assertThat(entries.next().sizeBytes).isEqualTo(10);
    }
    assertThat(entries.hasNext()).isFalse();
    assertThat(index.walk()).hasSize(3);
    assertThatThrownBy(entries::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void lastBlockAgainstFirstBlockOfAFile() throws Exception {
    DramEntry<?>[] current = {entry("file", 0)};
    assertThat(index.insert(entry("other", 0))).isTrue();
    Rounds.race(
        round -> {
          DramEntry<Object> found = index.find(file("file"), round + 1L);
          assertThat(found).as("inserted in round %d", round).isNotNull();
          assertThat(index.usage(file("file")).blocks()).isEqualTo(1);
          current[0] = found;
        },
        round -> index.remove(cast(current[0])),
        round -> assertThat(index.insert(entry("file", round + 1L))).isTrue());
  }

  @SuppressWarnings("unchecked")
  private static DramEntry<Object> cast(DramEntry<?> entry) {
    return (DramEntry<Object>) entry;
  }
}
