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
package dev.terrace.bench.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

final class YcsbWorkloadTest {

  private static final YcsbTable TABLE = new YcsbTable(1_000, 2, 100, 3);

  @ParameterizedTest
  @EnumSource(YcsbWorkload.class)
  void sharesOfOperationsAddUpToOne(YcsbWorkload workload) {
    Properties properties = workload.properties(TABLE, 1_000);
    double sum =
        properties.stringPropertyNames().stream()
            .filter(name -> name.endsWith("proportion"))
            .mapToDouble(name -> Double.parseDouble(properties.getProperty(name)))
            .sum();
    assertThat(sum).isCloseTo(1, within(1e-9));
  }

  @Test
  void loadingWritesEachRowOnceWithAllFields() {
    CountingDb db = new CountingDb();
    CountedWorkload workload = CountedWorkload.with(YcsbWorkload.loading(TABLE));
    for (int i = 0; i < TABLE.rows(); i++) {
      assertThat(workload.doInsert(db, null)).isTrue();
    }
    assertThat(db.inserted).hasSize(1_000);
    assertThat(db.fields).isEqualTo(2 * 1_000);
    assertThat(db.bytes).isEqualTo(2 * 100 * 1_000);
  }

  @Test
  void insertsGoOnWhereTheTableEndsAndReadsFindWhatIsThere() {
    CountingDb db = new CountingDb();
    CountedWorkload load = CountedWorkload.with(YcsbWorkload.loading(TABLE));
    for (int i = 0; i < TABLE.rows(); i++) {
      load.doInsert(db, null);
    }
    CountedWorkload first = CountedWorkload.with(YcsbWorkload.INSERTS.properties(TABLE, 1_000));
    for (int i = 0; i < 500; i++) {
      first.doTransaction(db, null);
    }
    CountedWorkload second =
        CountedWorkload.with(YcsbWorkload.INSERTS.properties(TABLE, first.rows()));
    for (int i = 0; i < 500; i++) {
      second.doTransaction(db, null);
    }
    assertThat(db.inserted).hasSize(Math.toIntExact(second.rows()));
    assertThat(second.rows()).isGreaterThan(first.rows()).isGreaterThan(1_400);
    assertThat(db.reads).isGreaterThan(200);
    assertThat(db.missing).isZero();
  }

  @Test
  void regionsMeetAtDigits() {
    String[] keys =
        Arrays.stream(TABLE.splitKeys())
            .map(key -> new String(key, StandardCharsets.UTF_8))
            .toArray(String[]::new);
    assertThat(keys).containsExactly("user4", "user7");
  }

  @Test
  void badSizesAreNamed() {
    assertThatThrownBy(() -> new YcsbTable(10, 1, 7, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fieldBytes=7");
  }

  /** Remembers which rows there are. */
  private static final class CountingDb extends DB {

    private final Set<String> inserted = new HashSet<>();
    private int fields;
    private long bytes;
    private int reads;
    private int missing;

    @Override
    public Status read(
        String table, String key, Set<String> names, Map<String, ByteIterator> result) {
      reads++;
      missing += inserted.contains(key) ? 0 : 1;
      return Status.OK;
    }

    @SuppressWarnings("NonApiType")
    @Override
    public Status scan(
        String table,
        String startKey,
        int count,
        Set<String> names,
        Vector<HashMap<String, ByteIterator>> result) {
      return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return Status.OK;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      inserted.add(key);
      fields += values.size();
      values.values().forEach(value -> bytes += value.bytesLeft());
      return Status.OK;
    }

    @Override
    public Status delete(String table, String key) {
      return Status.OK;
    }
  }
}
