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
package dev.terrace.api;

import java.security.SecureRandom;
import java.util.SplittableRandom;

/**
 * Secret numbers that hash functions mix into what they hash. Each process has its own: so a client
 * that chooses where the blocks of a file start cannot choose blocks that collide.
 *
 * <p>What is written to a device must not depend on them. Thread-safe.
 */
public final class HashSecrets {

  /** Repeats the secrets of a process, for tests. */
  private static final String SEED_PROPERTY = "terrace.hash.seed";

  private static final long SEED = seed();

  private HashSecrets() {}

  private static long seed() {
    Long given = Long.getLong(SEED_PROPERTY);
    return given == null ? new SecureRandom().nextLong() : given;
  }

  /**
   * A random number: the same for the same use in one process. To be kept in a constant.
   *
   * @param use names the hash function
   */
  public static long secret(String use) {
    return secret(SEED, use);
  }

  /** The same for a hash that multiplies: an odd number. */
  public static long factor(String use) {
    return secret(use) | 1;
  }

  static long secret(long seed, String use) {
    return new SplittableRandom(seed + use.hashCode()).nextLong();
  }
}
