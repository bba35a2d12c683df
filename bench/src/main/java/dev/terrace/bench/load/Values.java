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
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** What the bytes of values are, and what blocks of them shrink by, with LZ4 and Zstandard. */
enum Values {
  /** Any bytes: by nothing. */
  RANDOM {
    @Override
    void fill(byte[] value, SplittableRandom random) {
      random.nextBytes(value);
    }
  },

  /** Words out of 512: by 2.2 and 3.2. */
  WORDS {
    @Override
    void fill(byte[] value, SplittableRandom random) {
      ByteBuffer left = ByteBuffer.wrap(value);
      while (left.hasRemaining()) {
        append(left, word(random));
      }
    }
  };

  private static final byte[][] DICTIONARY = dictionary(new SplittableRandom(1));

  /** Words of 3 to 10 letters, each with a space after it. */
  private static byte[][] dictionary(SplittableRandom random) {
    return Stream.generate(() -> newWord(random)).limit(512).toArray(byte[][]::new);
  }

  private static byte[] newWord(SplittableRandom random) {
    byte[] word = new byte[random.nextInt(4, 12)];
    for (int i = 0; i < word.length - 1; i++) {
      word[i] = (byte) random.nextInt('a', 'z' + 1);
    }
    word[word.length - 1] = ' ';
    return word;
  }

  private static byte[] word(SplittableRandom random) {
    return DICTIONARY[random.nextInt(DICTIONARY.length)];
  }

  /** Adds as much as there is room for. */
  private static void append(ByteBuffer left, byte[] bytes) {
    left.put(bytes, 0, Math.min(bytes.length, left.remaining()));
  }

  /** Returns its name on the command line and in JSON. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Fills a value with bytes that follow from the generator's seed. */
  abstract void fill(byte[] value, SplittableRandom random);
}
