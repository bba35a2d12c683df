// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.region.device.DeviceThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Finds what disks and memory lack for larger tiers. A path that does not answer is such a finding
 * after some seconds, so that it holds up no other change. Thread-safe.
 *
 * @param unbounded may hang
 */
public record GrowthCheck(Function<TerraceSettings, List<Finding>> unbounded, Duration limit)
    implements Function<TerraceSettings, List<Finding>> {

  @Override
  public List<Finding> apply(TerraceSettings grown) {
    FutureTask<List<Finding>> check = new FutureTask<>(() -> unbounded.apply(grown));
    DeviceThreads.daemons("terrace-growth-check").newThread(check).start();
    try {
      return check.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return List.of(noAnswer(grown));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while paths were checked", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the check of paths failed", e.getCause());
    }
  }

  private Finding noAnswer(TerraceSettings grown) {
    String paths =
        grown.asMap().get(TerraceSettings.PMEM_PATHS.key())
            + " "
            + grown.asMap().get(TerraceSettings.SSD_PATHS.key());
    return Finding.error(
        "no answer within " + limit.toSeconds() + " s from one of " + paths.trim(),
        "a disk or a network hangs",
        "take that path out, or try again when it answers");
  }
}
