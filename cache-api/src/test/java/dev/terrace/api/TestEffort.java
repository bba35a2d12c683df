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
 * How much the tests try whose cases are random. {@code ./mvnw verify} tries as much as a build has
 * time for; {@code -Dterrace.test.effort=10} makes it ten times as much, for a night.
 */
public final class TestEffort {

  private static final int EFFORT = Integer.getInteger("terrace.test.effort", 1);

  private TestEffort() {}

  /**
   * How many cases to try: seeds, scenarios, rounds or seconds.
   *
   * @param cases how many are enough for each build
   */
  public static int times(int cases) {
    return Math.multiplyExact(cases, EFFORT);
  }
}
