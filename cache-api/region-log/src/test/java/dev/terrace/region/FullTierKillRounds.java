// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.api.Access;
import dev.terrace.api.Patience;
import dev.terrace.api.TestEffort;
import dev.terrace.region.device.Device;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.folder.ReadOnlyDevice.UnreadableCacheException;
import dev.terrace.region.inspect.CacheInspection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tier that is full, so that regions have earlier lives, takes blocks with hostile bytes, and its
 * process is killed with signal 9. Then its files are harmed, except in every fourth round. What is
 * served afterwards is right; and without harm, what was stored last is served.
 *
 * <p>{@code -Dterrace.kill.rounds=N} sets the rounds, {@code -Dterrace.kill.seed=N} repeats the
 * harms of a run. The moment of a kill cannot be repeated: so a round that fails leaves its files.
 */
public abstract class FullTierKillRounds {

  private static final Logger LOG = LoggerFactory.getLogger(FullTierKillRounds.class);
  private static final int ROUNDS = Integer.getInteger("terrace.kill.rounds", TestEffort.times(2));
  private static final long SEED =
      Long.getLong("terrace.kill.seed", new SplittableRandom().nextInt());

  private static final int REGIONS = 48;
  private static final int MAX_MILLIS = 400;
  private static final int UNHARMED = 4;

  /** Blocks of so many rounds before are looked for, too. */
  private static final int OLD_ROUNDS = 2;

  /** About half of what the tier has room for. */
  private static final int HALF_BLOCKS = 800;

  /** What a process stored, by the order of its puts. */
  private record Round(String file, HostileBlocks blocks, List<Long> stored) {}

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temporary;

  private final Class<?> writer;
  private final int regionsInBuffers;
  private final boolean direct;
  private final List<Round> rounds = new ArrayList<>();
  private SplittableRandom random;
  private String now = "";
  private long served;
  private int harms;

  /**
   * Rounds.
   *
   * @param writer the class with the {@code main} of the process that is killed: {@link
   *     FullTierWriter#run}
   * @param regionsInBuffers so many regions may be lost with the process
   * @param direct whether the rounds make no sense without direct I/O
   */
  protected FullTierKillRounds(Class<?> writer, int regionsInBuffers, boolean direct) {
    this.writer = writer;
    this.regionsInBuffers = regionsInBuffers;
    this.direct = direct;
  }

  /** Opens the devices of a path, as the writer does. */
  protected abstract List<? extends Device> open(Path path) throws IOException;

  /** The size of the cache. */
  public static long sizeBytes() {
    return (long) REGIONS * regionBytes();
  }

  /** The size of its regions. */
  public static int regionBytes() {
    return HostileBlocks.REGION_BYTES;
  }

  private Path cache() {
    return temporary.resolve("cache");
  }

  static Path regionsFile(Path cache) {
    return cache.resolve("terrace").resolve("regions");
  }

  @Test
  void killedAndHarmed() throws Exception {
    requireDirectIo();
    for (int round = 0; round < ROUNDS; round++) {
      random = new SplittableRandom(SEED * 1_000_003 + round);
      now = "-Dterrace.kill.seed=" + SEED + " round=" + round + " files=" + temporary;
      byte[] old = killAWriter(round);
      boolean isHarmed = round % UNHARMED != 0;
      List<String> harm =
          isHarmed ? Harm.some(regionsFile(cache()).getParent(), old, random) : List.of();
      now += " harm=" + harm;
      harms += harm.size();
      verify(isHarmed);
      long before = served;
      check(round, isHarmed);
      verify(isHarmed);
      LOG.info("{} served={}", now, served - before);
    }
    LOG.info("seed={} rounds={} harms={} served={}, all right", SEED, ROUNDS, harms, served);
  }

  private void requireDirectIo() throws IOException {
    Files.createDirectory(cache());
    boolean isDirect = true;
    for (Device device : open(cache())) {
      isDirect &= device.alignmentBytes() > 1;
      device.close();
    }
    assumeTrue(isDirect || !direct, "no direct I/O in " + cache());
  }

  /** What the regions file had in it at some time while the process wrote. */
  private byte[] killAWriter(int round) throws Exception {
    Path loot = temporary.resolve("loot-" + round);
    Path log = temporary.resolve("stored-" + round);
    Path output = temporary.resolve("output-" + round);
    String file = ForgedBytes.file(round);
    byte[] old;
    try (KilledProcess process = KilledProcess.start(writer, output, cache(), log, loot, file)) {
      process.await(() -> Files.readString(output).contains(FullTierWriter.FULL));
      old = Files.readAllBytes(regionsFile(cache()));
      process.kill(random.nextInt(MAX_MILLIS));
    }
    assertThat(Files.readString(output)).as(now).doesNotContain("Exception in thread");
    ByteBuffer offsets = ByteBuffer.wrap(Files.readAllBytes(log));
    List<Long> stored = new ArrayList<>();
    while (offsets.remaining() >= Long.BYTES) {
      stored.add(offsets.getLong());
    }
    rounds.add(new Round(file, HostileBlocks.load(loot), stored));
    return old;
  }

  /** Reads all as {@code bin/terrace verify} does: damage is found only where harm was done. */
  private void verify(boolean isHarmed) throws IOException {
    try (ReadOnlyDevice device = ReadOnlyDevice.open(cache())) {
      CacheInspection found = new CacheInspection(device, true, done -> {});
      // Scattered old pieces can be in each block there is.
      if (!isHarmed) {
        assertThat(found.rightBlocks()).as(now).isPositive();
        assertThat(found.damages()).as(now).isEmpty();
      }
    } catch (UnreadableCacheException e) {
      assertThat(now).as("both superblocks, or nothing left: %s", e).contains("superblock");
    }
  }

  private void check(int number, boolean isHarmed) throws Exception {
    RegionTier<byte[]> tier =
        RegionTier.open(new ForgedBytes.Codec(), open(cache()), KillRounds.CONFIG);
    Awaitility.await(now).pollInterval(Duration.ofMillis(2)).until(tier::isRecovered);
    if (!isHarmed) {
      assertThat(tier.stats().events().faults()).as(now).isEmpty();
      checkTheLast(tier, rounds.get(number));
    }
    // What is read is verified and hot; the rest is written anew, or goes, before it was read.
    int from = Math.max(0, number - OLD_ROUNDS);
    for (Round round : rounds.subList(from, number + 1)) {
      for (long offset : round.stored) {
        if (random.nextInt(4) == 0) {
          isServed(tier, round, offset);
        }
      }
    }
    Round fresh = fillHalf(tier, number);
    for (Round round : rounds.subList(from, number + 1)) {
      for (long offset : round.stored) {
        isServed(tier, round, offset);
      }
    }
    for (long offset : fresh.stored) {
      isServed(tier, fresh, offset);
    }
    assertThat(tier.get(file(ForgedBytes.VICTIM), 0, Access.CACHING)).as(now).isNull();
    tier.close();
    assertThat(tier.awaitReleased(Patience.LIMIT)).as(now).isTrue();
  }

  /** Regions are reclaimed, and what is hot in them is written anew. */
  private static Round fillHalf(RegionTier<byte[]> tier, int number) {
    Round fresh =
        new Round(ForgedBytes.file(ROUNDS + number), HostileBlocks.none(), new ArrayList<>());
    for (long offset = 0; offset < HALF_BLOCKS; offset++) {
      FullTierWriter.put(tier, fresh.file, offset, fresh.blocks.of(fresh.file, offset));
      fresh.stored.add(offset);
    }
    return fresh;
  }

  /** The last third of what fits must be there, but for what was still in buffers. */
  private void checkTheLast(RegionTier<byte[]> tier, Round round) {
    long inBuffers = (long) regionsInBuffers * regionBytes();
    long bytes = 0;
    for (int i = round.stored.size() - 1; i >= 0 && bytes < sizeBytes() / 3; i--) {
      long offset = round.stored.get(i);
      if (bytes >= inBuffers) {
        assertThat(isServed(tier, round, offset))
            .as("%s: stored before the kill: offset=%d", now, offset)
            .isTrue();
      }
      bytes += round.blocks.of(round.file, offset).length;
    }
  }

  private boolean isServed(RegionTier<byte[]> tier, Round round, long offset) {
    byte[] found = tier.get(file(round.file), offset, Access.CACHING);
    if (found == null) {
      return false;
    }
    byte[] right = round.blocks.of(round.file, offset);
    assertThat(Arrays.mismatch(found, right))
        .as("%s: the first wrong byte of file=%s offset=%d", now, round.file, offset)
        .isEqualTo(-1);
    served++;
    return true;
  }
}
