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
package dev.terrace.tiered.plan;

/**
 * What one set of sizes would bring.
 *
 * @param tier the tier that is changed
 * @param times its size relative to today's
 * @param sizeBytes its size
 * @param hitRatio hits of all tiers in all accesses
 * @param ssdBytesWritten bytes that SSD would have written, with those written anew to keep them
 */
public record Outlook(
    String tier, double times, long sizeBytes, double hitRatio, long ssdBytesWritten) {

  Outlook withHitRatio(double other) {
    return new Outlook(tier, times, sizeBytes, other, ssdBytesWritten);
  }

  /** The relative size for people: 0, 1/2, 1, 2 or 4. */
  public String factor() {
    return times == 0.5 ? "1/2" : Long.toString(Math.round(times));
  }
}
