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
package dev.terrace.tiered;

import dev.terrace.api.AdmissionPolicy;
import dev.terrace.api.PromotionPolicy;
import dev.terrace.api.Tier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * How blocks move between tiers.
 *
 * @param admissions by the name of a tier, who decides what it takes; a tier that is not named
 *     takes everything
 * @param promotion decides what is copied up to the highest tier
 * @param carrier runs the demotions, off the threads that make blocks leave
 * @param mostBytesUnderWay encoded bytes of blocks that have left a tier and are on their way down,
 *     at most
 */
public record Movement(
    Map<String, AdmissionPolicy> admissions,
    PromotionPolicy promotion,
    Executor carrier,
    long mostBytesUnderWay) {

  private static final long IDLE_SECONDS = 10;

  /**
   * The movement that Terrace comes with: blocks go up at their second touch, and down when they
   * have come back before, or there is free room.
   *
   * @param tiers the highest first
   * @param endurance whether fewer writes to the lower tiers are worth more than hits
   */
  public static <B> Movement standard(
      List<? extends Tier<B>> tiers, boolean endurance, Executor carrier, long mostBytesUnderWay) {
    Map<String, AdmissionPolicy> admissions = new HashMap<>();
    for (Tier<B> tier : tiers.subList(1, tiers.size())) {
      admissions.put(tier.name(), new ReuseAdmission(tier, endurance));
    }
    return new Movement(
        admissions, new SecondTouch(tiers.subList(1, tiers.size())), carrier, mostBytesUnderWay);
  }

  /** One thread for demotions, which comes when there is something to carry and goes when not. */
  public static Executor newCarrier(String name) {
    ThreadPoolExecutor carrier =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    carrier.allowCoreThreadTimeOut(true);
    return carrier;
  }

  AdmissionPolicy admission(String tier) {
    return admissions.getOrDefault(tier, AdmissionPolicy.everything());
  }
}
