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

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** What the bytes of values are. */
enum Values {
  /** Any bytes: blocks of them do not shrink. */
  RANDOM {
    @Override
    void fill(byte[] value, SplittableRandom random) {
      random.nextBytes(value);
    }
  },

  /**
   * Words out of 512: blocks of them become 2.1 times smaller with LZ4, and 3 times with Zstandard.
   */
  WORDS {
    @Override
    void fill(byte[] value, SplittableRandom random) {
      int at = 0;
      while (at < value.length) {
        byte[] word = DICTIONARY[random.nextInt(DICTIONARY.length)];
        int length = Math.min(word.length, value.length - at);
        System.arraycopy(word, 0, value, at, length);
        at += length;
      }
    }
  };

  private static final byte[][] DICTIONARY = dictionary(new SplittableRandom(1));

  /** Words of 3 to 10 letters, each with a space after it. */
  private static byte[][] dictionary(SplittableRandom random) {
    return Stream.generate(() -> word(random)).limit(512).toArray(byte[][]::new);
  }

  private static byte[] word(SplittableRandom random) {
    byte[] word = new byte[random.nextInt(4, 12)];
    for (int i = 0; i < word.length - 1; i++) {
      word[i] = (byte) random.nextInt('a', 'z' + 1);
    }
    word[word.length - 1] = ' ';
    return word;
  }

  /** Returns its name on the command line and in JSON. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Fills a value with bytes that follow from the generator's seed. */
  abstract void fill(byte[] value, SplittableRandom random);
}
