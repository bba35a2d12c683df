// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.BlockKey;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.api.Payloads;
import dev.terrace.api.TestEffort;
import dev.terrace.api.TestFiles;
import dev.terrace.api.TierCounters;
import dev.terrace.region.compression.Compression;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceHealth;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.device.RegionDevice;
import dev.terrace.region.device.RegionDevices;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.format.RegionLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that puts blocks is killed with signal 9 at a random moment, again and again, and what
 * it left is opened: no byte may be wrong, and next to nothing lost.
 *
 * <p>A round's blocks stay for the next rounds, so that what was recovered is recovered again.
 */
public abstract class KillRounds {

  private static final Logger LOG = LoggerFactory.getLogger(KillRounds.class);
  private static final int ROUNDS = Integer.getInteger("terrace.kill.rounds", TestEffort.times(4));

  private static final int CACHE_REGIONS = 512;
  private static final String SMALL = "small-";

  /** Of the blocks of earlier rounds, so many are looked at again in each. */
  private static final int OLD_ONES = 2_000;

  /** The disk may be slow where tests run: that is not what is tested. */
  static final RegionConfig CONFIG =
      RegionConfig.named("killed", FILES)
          .withLimits(
              new IoLimits(
                  Duration.ofMinutes(1), Duration.ofSeconds(5), IoLimits.USUAL_READERS, 0));

  /** Blocks accepted this long before the kill count. */
  private static final long SETTLED_MILLIS = 2_000;

  /**
   * What a writer has written down of some 3 MB of blocks: a region of them, at least, is sealed.
   */
  private static final long SETTLED_LOG_BYTES = 100_000;

  @TempDir Path temporary;

  private final SplittableRandom random = new SplittableRandom();
  private final Class<?> writer;
  private final double minShare;
  private final boolean onlySealed;
  private long checked;
  private long settled;
  private long settledFound;

  /**
   * Rounds.
   *
   * @param writer the class with the {@code main} of the process that is killed: {@link
   *     KilledWriter#run}
   * @param minShare the share of the settled blocks that must be served
   * @param onlySealed whether only those blocks count that were in a sealed region
   */
  protected KillRounds(Class<?> writer, double minShare, boolean onlySealed) {
    this.writer = writer;
    this.minShare = minShare;
    this.onlySealed = onlySealed;
  }

  /** Opens the devices of a path, as the writer does. */
  protected abstract List<? extends Device> open(Path path) throws IOException;

  /** Half of the rounds' blocks are encrypted, half compressed, and all rounds' lie together. */
  private static String file(int round) {
    return (round % 2 == 0 ? "plain-" : "secret-") + (round / 2 % 2 == 0 ? "" : SMALL) + round;
  }

  /** How the blocks of a file are put. */
  static RegionConfig config(String file) {
    TestFiles.file(file).setEncrypted(file.startsWith("secret-"));
    return CONFIG.withCompression(file.contains(SMALL) ? Compression.LZ4 : Compression.NONE);
  }

  /** The size of the cache. */
  public static long sizeBytes() {
    return (long) CACHE_REGIONS * regionBytes();
  }

  /** The blocks that a round may put: headers and unfinished regions of all rounds fit, too. */
  private static long bytesARound() {
    return sizeBytes() / 2 / ROUNDS;
  }

  /** The size of its regions. */
  public static int regionBytes() {
    return 1 << 20;
  }

  @Test
  void killedAtRandomMoments() throws Exception {
    List<KilledWriter.Accepted> old = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      Path log = temporary.resolve("accepted-" + round);
      long killedMillis = killAWriter(round, log);
      List<KilledWriter.Accepted> accepted = KilledWriter.read(log);
      assertThat(accepted).as("round %d", round).isNotEmpty();
      check(accepted, old, killedMillis);
      old.addAll(accepted);
    }
    LOG.info(
        "rounds={} served={}, all right; found {} of {} settled",
        ROUNDS,
        checked,
        settledFound,
        settled);
    assertThat(checked).as("blocks that were served, and right").isGreaterThan(ROUNDS);
    assertThat(settled).as("blocks that must have been found").isGreaterThan(ROUNDS);
    assertThat((double) settledFound / settled)
        .as("%d of %d", settledFound, settled)
        .isGreaterThanOrEqualTo(minShare);
  }

  private long killAWriter(int round, Path log) throws Exception {
    Path output = temporary.resolve("output-" + round);
    try (KilledProcess process =
        KilledProcess.start(
            writer, output, temporary.resolve("cache"), log, file(round), bytesARound())) {
      // Most are killed soon, for many rounds; the first of four lives until some have settled.
      boolean settles = round % 4 == 0;
      process.await(() -> Files.exists(log) && Files.size(log) > (settles ? SETTLED_LOG_BYTES : 0));
      process.kill(settles ? SETTLED_MILLIS + random.nextInt(500) : random.nextInt(300));
    }
    return System.currentTimeMillis();
  }

  private void check(
      List<KilledWriter.Accepted> accepted, List<KilledWriter.Accepted> old, long killedMillis)
      throws Exception {
    Set<BlockKey> sealed = sealed(temporary.resolve("cache"));
    LeaseLedger ledger = LeaseLedger.counting();
    RegionTier<CountedBlock> tier =
        RegionTier.open(
            CountedBlockCodec.sharing(ledger), open(temporary.resolve("cache")), CONFIG);
    Awaitility.await().pollInterval(Duration.ofMillis(2)).until(tier::isRecovered);
    for (KilledWriter.Accepted block : accepted) {
      boolean found = isServed(tier, block);
      boolean counts =
          block.millis() < killedMillis - SETTLED_MILLIS
              && (!onlySealed
                  || sealed.contains(new BlockKey(TestFiles.file(block.file()), block.offset())));
      checked += found ? 1 : 0;
      settled += counts ? 1 : 0;
      settledFound += counts && found ? 1 : 0;
    }
    for (int i = 0; i < OLD_ONES && !old.isEmpty(); i++) {
      checked += isServed(tier, old.get(random.nextInt(old.size()))) ? 1 : 0;
    }
    assertThat(tier.stats().events().evictions())
        .as("blocks damaged, or for which there was no room")
        .isEmpty();
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).isTrue();
    ledger.assertNoViolations();
    ledger.assertAllReleased();
  }

  /** What lies in the sealed regions of a cache that is not in use. */
  private static Set<BlockKey> sealed(Path path) throws IOException {
    Set<BlockKey> keys = new HashSet<>();
    try (ReadOnlyDevice device = ReadOnlyDevice.open(path)) {
      DeviceHealth health =
          new DeviceHealth(device.path(), CONFIG.limits(), System::nanoTime, new TierCounters());
      RegionDevice io = RegionDevices.buffered(device, health);
      for (int slot = 0; slot < device.regions(); slot++) {
        RegionLayout.Footer footer = io.stored().footer(slot);
        if (footer != null) {
          io.stored()
              .table(slot, footer)
              .entries()
              .forEach(
                  entry -> keys.add(new BlockKey(TestFiles.file(entry.file()), entry.offset())));
        }
      }
    }
    return keys;
  }

  private static boolean isServed(RegionTier<CountedBlock> tier, KilledWriter.Accepted accepted) {
    CountedBlock block =
        tier.get(TestFiles.file(accepted.file()), accepted.offset(), Access.CACHING);
    if (block == null) {
      return false;
    }
    Payloads.check(accepted.file(), accepted.offset(), block);
    assertThat(block.sizeBytes()).isEqualTo(accepted.sizeBytes());
    block.release();
    return true;
  }
}
