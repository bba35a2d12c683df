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

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What other sizes would have brought to a running cache.
 *
 * @param period how far back it looks
 * @param oneIn how many keys there are for each simulated one
 * @param lost accesses to simulated keys that were lost since the simulation began
 * @param outlooks tier by tier; with the bytes that SSD would have written in the period
 */
public record LiveOutlook(Duration period, long oneIn, long lost, List<Outlook> outlooks) {

  /** The name of the entry of {@link #asMap} that describes the sample. */
  public static final String SAMPLE = "sample";

  /** Bytes that SSD would write a day at this rate. */
  public double ssdBytesADay(Outlook outlook) {
    return (double) outlook.ssdBytesWritten()
        * Duration.ofDays(1).toSeconds()
        / Math.max(1, period.toSeconds());
  }

  /** The figures by {@code "tier times factor"}, and those of the sample. */
  public Map<String, Map<String, Double>> asMap() {
    Map<String, Map<String, Double>> map = new LinkedHashMap<>();
    for (Outlook outlook : outlooks) {
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put("sizeBytes", (double) outlook.sizeBytes());
      figures.put("hitRatio", outlook.hitRatio());
      figures.put("ssdBytesADay", ssdBytesADay(outlook));
      map.put(outlook.tier() + " times " + outlook.factor(), figures);
    }
    Map<String, Double> sample = new LinkedHashMap<>();
    sample.put("seconds", (double) period.toSeconds());
    sample.put("oneBlockIn", (double) oneIn);
    sample.put("lostAccesses", (double) lost);
    map.put(SAMPLE, sample);
    return map;
  }
}
