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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * Values that tell by themselves whether they are right: a stamp of eight bytes, then bytes that
 * follow from row, field and stamp. A value of another row, of another field, or of two writes
 * mixed is found out; a whole older value of the same field is not. Stateless.
 */
final class CheckedValue {

  /** The least length of a value. */
  static final int STAMP_BYTES = Long.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long FNV_OFFSET = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 0x100000001B3L;
  private static final long WEYL_STEP = 0x9E3779B97F4A7C15L;

  private CheckedValue() {}

  /** Returns the value that a write with this stamp puts into a field. */
  static byte[] of(byte[] row, byte[] field, long stamp, int length) {
    byte[] value = new byte[length];
    LONGS.set(value, 0, stamp);
    long state = seed(row, field, stamp);
    int at = STAMP_BYTES;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      state += WEYL_STEP;
      LONGS.set(value, at, mix(state));
    }
    long last = mix(state + WEYL_STEP);
    for (; at < length; at++, last >>>= Byte.SIZE) {
      value[at] = (byte) last;
    }
    return value;
  }

  /** Returns what is wrong with a value that was read, or nothing. */
  static Optional<String> fault(byte[] row, byte[] field, byte[] actual, int expectedLength) {
    if (actual.length != expectedLength) {
      return Optional.of(actual.length + " bytes, should be " + expectedLength);
    }
    byte[] expected = of(row, field, (long) LONGS.get(actual, 0), expectedLength);
    int at = Arrays.mismatch(expected, actual);
    return at < 0 ? Optional.empty() : Optional.of("wrong byte at " + at);
  }

  /** FNV-1a over row and field (G. Fowler, L. C. Noll, K.-P. Vo), then the stamp. */
  private static long seed(byte[] row, byte[] field, long stamp) {
    long hash = FNV_OFFSET;
    for (byte b : row) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    // A byte that no key holds keeps row "a" field "bc" apart from row "ab" field "c".
    hash = (hash ^ 0xff) * FNV_PRIME;
    for (byte b : field) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    return mix(hash ^ mix(stamp));
  }

  /** The output function of SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014). */
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
