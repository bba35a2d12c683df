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
 * The distribution of a sample of latencies, in nanoseconds.
 *
 * @param samples how many were measured; with 0 the other values are 0
 * @param p50 the median
 * @param p99 the 99th percentile
 * @param p999 the 99.9th percentile
 * @param max the largest
 */
public record LatencySummary(long samples, long p50, long p99, long p999, long max) {

  /** Nothing measured yet. */
  public static final LatencySummary NONE = new LatencySummary(0, 0, 0, 0, 0);
}
