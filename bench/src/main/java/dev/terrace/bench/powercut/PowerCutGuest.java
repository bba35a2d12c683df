// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.powercut;

import dev.terrace.api.Access;
import dev.terrace.api.BlockCodec;
import dev.terrace.api.BlockInfo;
import dev.terrace.api.BlockMemory;
import dev.terrace.api.BlockTraits;
import dev.terrace.api.BlockTraits.Residency;
import dev.terrace.api.PutOutcome;
import dev.terrace.bench.server.Await;
import dev.terrace.bench.workload.HeldFiles;
import dev.terrace.pmem.MappedDevice;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.cipher.BlockCipher.KeyWrapper;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.region.device.IoLimits;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.ssd.FileDevice;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.SecondTouch;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Checks what a power cut left of a cache, then puts blocks into it until the next cut. Its output
 * reaches the host at once, so every put that it reports was made before the cut.
 */
public final class PowerCutGuest {

  private static final BlockTraits TRAITS = new BlockTraits(0, Residency.ORDINARY);
  private static final long REPORT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Long, because emulation is slow. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final List<RegionTier<byte[]>> tiers = new ArrayList<>();
  private final KeyedBlocks codec = new KeyedBlocks();
  private final HeldFiles files = new HeldFiles();
  private final TieredCache<byte[]> cache;
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  /**
   * Opens the tiers.
   *
   * @param args MB of PMem, MB of SSD, whether the SSD bypasses the page cache, the round from 0,
   *     the least number of puts of the last round, whether blocks are encrypted
   */
  private PowerCutGuest(String[] args) throws IOException {
    boolean encrypted = Boolean.parseBoolean(args[5]);
    long pmem = Long.parseLong(args[0]) << 20;
    if (pmem > 0) {
      open("pmem", MappedDevice.openAll(path("/mnt/pmem", pmem, encrypted)), encrypted);
    }
    long ssd = Long.parseLong(args[1]) << 20;
    if (ssd > 0) {
      PathSplit path = path("/mnt/ssd", ssd, encrypted);
      open("ssd", FileDevice.openAll(path, Boolean.parseBoolean(args[2])), encrypted);
    }
    Movement all =
        new Movement(
            Map.of(),
            new SecondTouch(tiers.subList(1, tiers.size())),
            DeviceThreads.onDemand("demotion", 1),
            32 << 20);
    cache = new TieredCache<>(files.all(), tiers, codec, all);
  }

  private static PathSplit path(String path, long bytes, boolean encrypted) {
    return PathSplit.of(PathSplit.even(List.of(Path.of(path)), bytes))
        .withContents("", encrypted ? Optional.of(new NoMasterKey()) : Optional.empty());
  }

  private void open(String name, List<Device> devices, boolean encrypted) {
    RegionConfig config =
        RegionConfig.named(name, files.all())
            .withLimits(new IoLimits(PATIENCE, Duration.ofSeconds(5), IoLimits.USUAL_READERS, 0))
            .withEncryptsAll(encrypted);
    tiers.add(RegionTier.open(codec, devices, config));
  }

  public static void main(String[] args) throws IOException {
    PowerCutGuest guest = new PowerCutGuest(args);
    int round = Integer.parseInt(args[3]);
    if (round > 0) {
      guest.check(KeyedBlocks.file(round - 1), Long.parseLong(args[4]));
    }
    guest.putFor(KeyedBlocks.file(round));
  }

  private void check(String lastFile, long lastPuts) {
    await(() -> tiers.stream().allMatch(RegionTier::isRecovered), "recovery of " + lastFile);
    long served = 0;
    long wrong = 0;
    for (Iterator<BlockInfo> all = cache.blocks(); all.hasNext(); ) {
      BlockInfo block = all.next();
      byte[] found = cache.get(block.key().file(), block.key().offset(), Access.UNCOUNTED);
      if (found != null) {
        served++;
        byte[] right = KeyedBlocks.of(block.key().file().name(), block.key().offset());
        wrong += Arrays.equals(found, right) ? 0 : 1;
      }
    }
    StringBuilder text = new StringBuilder();
    tiers.forEach(tier -> text.append(' ').append(tier.name()).append('=').append(of(tier)));
    out.println("CHECKED served=" + served + " wrong=" + wrong + lost(lastFile, lastPuts) + text);
  }

  private static String of(RegionTier<byte[]> tier) {
    return tier.blockCount() + tier.stats().events().faults().toString().replace(' ', '_');
  }

  /** Reports which of the newest blocks are missing, over a quarter of the cache's size. */
  private String lost(String file, long puts) {
    long capacityBytes = tiers.stream().mapToLong(RegionTier::capacityBytes).sum();
    long lookedAtBytes = 0;
    long lostBytes = 0;
    long lost = 0;
    for (long number = puts - 1; number >= 0 && lookedAtBytes < capacityBytes / 4; number--) {
      lookedAtBytes += KeyedBlocks.sizeBytes(number);
      if (!cache.contains(files.file(file), number)) {
        lost++;
        lostBytes += KeyedBlocks.sizeBytes(number);
      }
    }
    return " lost=" + lost + " lostKB=" + (lostBytes >> 10) + " of=" + (lookedAtBytes >> 10);
  }

  private void putFor(String file) {
    SplittableRandom random = new SplittableRandom();
    long reported = System.nanoTime();
    long bytes = 0;
    for (long number = 0; ; number++) {
      bytes += put(file, number);
      // Some blocks are hit, so that reclaims rewrite them.
      cache.get(files.file(file), random.nextLong(number + 1), Access.CACHING);
      long now = System.nanoTime();
      if (now - reported > REPORT_NANOS) {
        out.println("PUT " + (number + 1) + " MB=" + (bytes >> 20));
        reported = now;
      }
    }
  }

  private int put(String file, long number) {
    byte[] block = KeyedBlocks.of(file, number);
    await(
        () -> cache.put(files.file(file), number, block, TRAITS) != PutOutcome.BUSY,
        "room for a block");
    return block.length;
  }

  private static void await(BooleanSupplier condition, String what) {
    if (!Await.until(condition, PATIENCE)) {
      throw new IllegalStateException("not within " + PATIENCE.toSeconds() + " s: " + what);
    }
  }

  /** No master key: each boot of the virtual machine can unwrap the data key. Protects nothing. */
  private static final class NoMasterKey implements KeyWrapper {

    @Override
    public byte[] wrap(byte[] dataKey) {
      return dataKey.clone();
    }

    @Override
    public byte[] unwrap(byte[] wrapped) {
      return wrapped.clone();
    }
  }

  /** Blocks as arrays, with bytes derived from their keys. Thread-safe. */
  static final class KeyedBlocks implements BlockCodec<byte[]> {

    private static final int MIN_BYTES = 4 << 10;
    private static final int SIZES = 32;

    static String file(int round) {
      return "round-" + round;
    }

    /** The size of a block: 4 to 128 KB. */
    static int sizeBytes(long number) {
      return MIN_BYTES * new SplittableRandom(number).nextInt(1, SIZES + 1);
    }

    static byte[] of(String file, long number) {
      byte[] bytes = new byte[sizeBytes(number)];
      new SplittableRandom((long) file.hashCode() << 32 ^ number).nextBytes(bytes);
      return bytes;
    }

    @Override
    public int sizeBytes(byte[] block) {
      return block.length;
    }

    @Override
    public int format(byte[] block) {
      return 0;
    }

    @Override
    public void encode(byte[] block, ByteBuffer target) {
      target.put(block);
    }

    @Override
    public byte[] decode(ByteBuffer[] bytes, int format, BlockMemory memory) {
      ByteBuffer block =
          ByteBuffer.allocate(Arrays.stream(bytes).mapToInt(ByteBuffer::remaining).sum());
      for (ByteBuffer part : bytes) {
        block.put(part);
      }
      memory.free();
      return block.array();
    }

    @Override
    public boolean tryRetain(byte[] block) {
      return true;
    }

    @Override
    public void release(byte[] block) {}
  }
}
