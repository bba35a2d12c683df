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
package dev.terrace.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hbase.thirdparty.io.netty.util.IllegalReferenceCountException;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeaseCountTest {

  private final Level before = ResourceLeakDetector.getLevel();
  private final AtomicInteger freed = new AtomicInteger();

  @AfterEach
  void restoreLevel() {
    ResourceLeakDetector.setLevel(before);
  }

  private RefCnt count(Level level) {
    ResourceLeakDetector.setLevel(level);
    return LeaseCount.over(freed::incrementAndGet, new LeaseStripes(2, 1));
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void theLastReleaseFreesOnce(Level level) {
    RefCnt count = count(level);
    count.retain();
    count.retain(2);

    assertThat(count.release()).isFalse();
    assertThat(count.release(2)).isFalse();
    assertThat(freed).hasValue(0);
    assertThat(count.release()).isTrue();

    assertThat(freed).hasValue(1);
    assertThatThrownBy(count::retain).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(count::release).isInstanceOf(IllegalReferenceCountException.class);
    assertThat(freed).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void readingAfterTheLastReleaseIsNoticed(Level level) {
    ByteBuff bytes = ByteBuff.wrap(new ByteBuffer[] {ByteBuffer.allocateDirect(8)}, count(level));
    assertThat(bytes.getLong(0)).isZero();

    bytes.release();

    assertThatThrownBy(() -> bytes.getLong(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void isTrackedOnlyWhereSomebodyLooksForLeaks(Level level) {
    boolean tracked = !(count(level) instanceof LeaseCount);

    assertThat(tracked).isEqualTo(level == Level.ADVANCED || level == Level.PARANOID);
  }
}
