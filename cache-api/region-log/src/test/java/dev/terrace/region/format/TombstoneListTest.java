// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.region.format.Superblock.CacheSecret;
import dev.terrace.region.format.TombstoneList.Eviction;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class TombstoneListTest {

  private static final CacheSecret SECRET = new CacheSecret(1, 2);
  private static final TombstoneList LIST =
      new TombstoneList(
          7,
          List.of(
              new Eviction("file", 0, RecordLayout.MAX_OFFSET, 1L << 40),
              new Eviction("f\u00fcr", 5, 5, Long.MAX_VALUE)));

  @Test
  void whatIsWrittenIsRead() {
    assertThat(TombstoneList.decode(LIST.encode(SECRET), SECRET)).contains(LIST);
    TombstoneList none = new TombstoneList(1, List.of());
    assertThat(TombstoneList.decode(none.encode(SECRET), SECRET)).contains(none);
  }

  @Test
  void anotherCachesListIsNone() {
    assertThat(TombstoneList.decode(LIST.encode(new CacheSecret(1, 3)), SECRET)).isEmpty();
  }

  @Test
  void noOtherBytesAreAList() {
    int size = LIST.encode(SECRET).remaining();
    for (int at = 0; at < size; at++) {
      ByteBuffer changed = LIST.encode(SECRET);
      changed.put(at, (byte) (changed.get(at) ^ 1 << at % 8));
      assertThat(TombstoneList.decode(changed, SECRET)).as("byte %d", at).isEmpty();
      assertThat(TombstoneList.decode(LIST.encode(SECRET).limit(at), SECRET)).isEmpty();
    }
    ByteBuffer longer = ByteBuffer.allocate(size + 1).put(LIST.encode(SECRET)).rewind();
    assertThat(TombstoneList.decode(longer, SECRET)).contains(LIST);
  }
}
