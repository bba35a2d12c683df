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
package dev.terrace.bench.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/**
 * Values that tell by themselves whether they are right: a stamp of eight bytes, then bytes that
 * follow from row, field and stamp. A value of another row, of another field, or of two writes
 * mixed is found out; a whole older value of the same field is not. Stateless.
 */
final class CheckedValue {

  private CheckedValue() {}

  /** Returns the value that a write with this stamp puts into a field; 8 bytes or longer. */
  static byte[] of(byte[] row, byte[] field, long stamp, int length, Values values) {
    long seed =
        Hashing.farmHashFingerprint64()
            .newHasher()
            .putInt(row.length)
            .putBytes(row)
            .putBytes(field)
            .putLong(stamp)
            .hash()
            .asLong();
    byte[] value = new byte[length];
    values.fill(value, new SplittableRandom(seed));
    ByteBuffer.wrap(value).putLong(stamp);
    return value;
  }

  /** Returns what is wrong with a value that was read, or nothing. */
  static Optional<String> fault(
      byte[] row, byte[] field, byte[] actual, int expectedLength, Values values) {
    if (actual.length != expectedLength) {
      return Optional.of(actual.length + " bytes, should be " + expectedLength);
    }
    byte[] expected = of(row, field, ByteBuffer.wrap(actual).getLong(), expectedLength, values);
    int at = Arrays.mismatch(expected, actual);
    return at < 0 ? Optional.empty() : Optional.of("wrong byte at " + at);
  }
}
