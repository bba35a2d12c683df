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

/**
 * How much the tests try whose cases are random, in percent: {@code ./mvnw verify} tries a fifth of
 * what {@code -Pall} does, and {@code -Dterrace.test.effort=1000} ten times as much, for a night.
 */
public final class TestEffort {

  private static final int PERCENT = Integer.getInteger("terrace.test.effort", 100);

  private TestEffort() {}

  /**
   * How many cases to try, at least one: seeds, scenarios, rounds or milliseconds.
   *
   * @param cases how many are enough for the long gate
   */
  public static int times(int cases) {
    return Math.max(1, Math.toIntExact((long) cases * PERCENT / 100));
  }
}
