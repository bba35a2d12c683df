// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import dev.terrace.api.BlockKey;
import dev.terrace.api.TestFiles;
import dev.terrace.region.device.PowerSupply;
import dev.terrace.region.device.SimulatedDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One random sequence: a tier, or PMem that demotes to SSD, through some power cuts. The blocks of
 * none, some or all files are encrypted. All that is random comes from the seed.
 */
final class PowerCutRun {

  /** After this time all records are to be durable. */
  private static final long PERSIST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int CUTS = 3;
  private static final int MAX_STEPS = 200;
  private static final int MAX_MOMENTS = 500;
  private static final int FILES = 3;
  private static final int OFFSETS = 40;
  private static final int LARGEST_TENTH = 400;

  private final long seed;
  private final SplittableRandom random;
  private final List<CutTier> tiers = new ArrayList<>();
  private final List<Runnable> queue = new ArrayList<>();
  private final boolean byHand;
  private PowerSupply power;
  private long nanos;
  private int cut;
  private int step;
  private long durable;
  private long served;
  private long servedEncrypted;

  PowerCutRun(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.byHand = random.nextBoolean();
    int plainFiles = random.nextInt(FILES + 1);
    Predicate<String> encrypted = file -> file.compareTo(file(plainFiles)) >= 0;
    int kind = random.nextInt(3);
    if (kind > 0) {
      tiers.add(new CutTier(true, 64, encrypted));
    }
    if (kind < 2) {
      tiers.add(new CutTier(false, random.nextBoolean() ? 512 : 4096, encrypted));
    }
  }

  private static String file(int number) {
    return "file-" + number;
  }

  int cuts() {
    return cut;
  }

  /** Blocks that had to be served after the cuts. */
  long durable() {
    return durable;
  }

  /** Blocks that were served after the cuts. */
  long served() {
    return served;
  }

  /** How many of those were encrypted. */
  long servedEncrypted() {
    return servedEncrypted;
  }

  /**
   * Runs it.
   *
   * @throws AssertionError with the seed, the cut and the step
   */
  void run() {
    try {
      for (cut = 0; cut < CUTS; cut++) {
        liveUntilTheCut();
        List<SimulatedDisk> left = power.cut();
        queue.clear();
        for (int i = 0; i < tiers.size(); i++) {
          CutTier tier = tiers.get(i);
          durable += tier.cut(left.get(i));
          tier.checkWhatIsLeft();
          served += tier.served();
          servedEncrypted += tier.servedEncrypted();
        }
      }
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "-Dterrace.powercut.seed=" + seed + " cut=" + cut + " step=" + step + " " + tiers, e);
    }
  }

  private void liveUntilTheCut() {
    power =
        new PowerSupply(
            tiers.stream().map(CutTier::disk).toList(), random, random.nextInt(MAX_MOMENTS));
    for (CutTier tier : tiers) {
      tier.open(power, byHand ? queue::add : Runnable::run, () -> nanos);
    }
    if (tiers.size() > 1) {
      tiers.get(0).demoteTo(tiers.get(1));
    }
    int steps = random.nextInt(MAX_STEPS);
    for (step = 0; step < steps && !power.isCut(); step++) {
      boolean persisted = step();
      tiers.forEach(tier -> tier.note(persisted && !power.isCut()));
    }
  }

  /** Does something. Returns whether all of the log's work is done, the forces included. */
  private boolean step() {
    BlockKey key =
        new BlockKey(
            TestFiles.file(file(random.nextInt(FILES))), random.nextInt(OFFSETS) * 65_536L);
    CutTier tier = tiers.get(random.nextInt(tiers.size()));
    int dice = random.nextInt(100);
    if (dice < 60) {
      tier.put(key, 10 * (1 + random.nextInt(LARGEST_TENTH)));
    } else if (dice < 80) {
      tier.get(key);
    } else if (dice < 84) {
      tiers.forEach(each -> each.evict(key));
    } else if (dice < 85) {
      tiers.forEach(each -> each.evictFile(key.file().name()));
    } else if (dice < 88) {
      tier.sealOpen();
    } else if (dice < 94) {
      drainOne();
    } else {
      nanos += PERSIST_NANOS;
      drain();
      tiers.forEach(CutTier::tick);
      drain();
      return true;
    }
    return false;
  }

  private void drainOne() {
    if (!queue.isEmpty()) {
      queue.remove(random.nextInt(queue.size())).run();
    }
  }

  private void drain() {
    while (!queue.isEmpty()) {
      drainOne();
    }
  }
}
