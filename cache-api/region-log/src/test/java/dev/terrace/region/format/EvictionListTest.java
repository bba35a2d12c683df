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
package dev.terrace.region.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictionListTest {

  private static final CacheSecret SECRET = new CacheSecret(1, 2);
  private static final EvictionList LIST =
      new EvictionList(
          7,
          List.of(
              new Eviction("file", 0, RecordLayout.MAX_OFFSET, 1L << 40),
              new Eviction("f\u00fcr", 5, 5, Long.MAX_VALUE)));

  @Test
  void whatIsWrittenIsRead() {
    assertThat(EvictionList.decode(LIST.encode(SECRET), SECRET)).contains(LIST);
    EvictionList none = new EvictionList(1, List.of());
    assertThat(EvictionList.decode(none.encode(SECRET), SECRET)).contains(none);
  }

  @Test
  void anotherCachesListIsNone() {
    assertThat(EvictionList.decode(LIST.encode(new CacheSecret(1, 3)), SECRET)).isEmpty();
  }

  @Test
  void noOtherBytesAreAList() {
    int size = LIST.encode(SECRET).remaining();
    for (int at = 0; at < size; at++) {
      ByteBuffer changed = LIST.encode(SECRET);
      changed.put(at, (byte) (changed.get(at) ^ 1 << at % 8));
      assertThat(EvictionList.decode(changed, SECRET)).as("byte %d", at).isEmpty();
      assertThat(EvictionList.decode(LIST.encode(SECRET).limit(at), SECRET)).isEmpty();
    }
    ByteBuffer longer = ByteBuffer.allocate(size + 1).put(LIST.encode(SECRET)).rewind();
    assertThat(EvictionList.decode(longer, SECRET)).isEmpty();
  }
}
