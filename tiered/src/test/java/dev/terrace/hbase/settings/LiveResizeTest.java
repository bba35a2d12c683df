// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import static dev.terrace.api.TestFiles.FILES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.terrace.api.CountedBlock;
import dev.terrace.api.CountedBlockCodec;
import dev.terrace.api.LeaseLedger;
import dev.terrace.api.Patience;
import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramMemory;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.LogLines;
import dev.terrace.hbase.OpenCaches;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.RegionConfig;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.folder.PathAnswers;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a size that is wanted while a tier is on its way to another one. */
class LiveResizeTest {

  private static final String SIZE = TerraceSettings.SSD_SIZE.key();
  private static final int REGION_BYTES = 1 << 20;

  @RegisterExtension final LogLines log = new LogLines(LiveSettings.class);

  private final Queue<Runnable> work = new ArrayDeque<>();
  private SimulatedDevice device;
  private RegionTier<CountedBlock> tier;
  private LiveSettings settings;
  private Supplier<List<Finding>> check = List::of;
  private Executor threads = Runnable::run;

  private static SiteValues site(String size) {
    return new SiteValues(
        OpenCaches.conf(
            "hbase.terrace.dram.size", "0", "hbase.terrace.ssd.paths", "/nowhere", SIZE, size));
  }

  @BeforeEach
  void open() {
    device = new SimulatedDevice(new SimulatedDisk(32, REGION_BYTES), false, 1);
    tier =
        new RegionTier<>(
            CountedBlockCodec.sharing(LeaseLedger.counting()),
            List.of(device),
            RegionConfig.named("ssd", FILES),
            path -> work::add,
            System::nanoTime);
    tier.start();
    doAll();
    settings =
        new LiveSettings(
            ReadSettings.of(site("32m")),
            Optional.empty(),
            Map.of(TerraceSettings.SSD_SIZE, resizable()),
            wanted -> check.get(),
            tables -> {},
            task -> threads.execute(task));
  }

  /** What each change of the tier fails with; null if none does. */
  private Throwable failure;

  private LiveSettings.LiveTier resizable() {
    return new LiveSettings.LiveTier() {
      @Override
      public int regionBytes() {
        // As a path of 32 MB has.
        return 2 * REGION_BYTES;
      }

      @Override
      public TierSpace space() {
        return settings.current().space(TerraceSettings.SSD_SIZE);
      }

      @Override
      public CompletableFuture<Void> become(TierSpace space) {
        return failure == null
            ? tier.resize(path -> space.sizeBytes())
            : CompletableFuture.failedFuture(failure);
      }
    };
  }

  @AfterEach
  void close() {
    tier.close();
    doAll();
  }

  private void doAll() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private String begun(String from, String to) {
    return "INFO Terrace read new settings: " + SIZE + " changes from " + from + " to " + to;
  }

  @Test
  void aSizeThatIsReplacedIsToldAndTheLastOneCounts() {
    settings.change(site("60m"));
    settings.change(site("48m"));
    settings.change(site("60m"));
    doAll();

    assertThat(log.lines())
        .containsExactly(
            begun("32 MB", "60 MB"),
            "INFO Change of " + SIZE + " to 60 MB was given up: replaced by a newer value",
            begun("32 MB", "48 MB"),
            "INFO Change of " + SIZE + " to 48 MB was given up: replaced by a newer value",
            begun("32 MB", "60 MB"),
            "INFO Terrace resized a tier: " + SIZE + " is 60 MB now");
    assertThat(device.regions()).isEqualTo(60);
    assertThat(settings.current().space(TerraceSettings.SSD_SIZE).sizeBytes()).isEqualTo(60L << 20);
  }

  /** The check of a path hangs, as does a stat of a disk that does not answer. */
  @Test
  void whatHangsDelaysChangesAndNoReader() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch hanging = new CountDownLatch(1);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    threads = thread;
    check =
        () -> {
          hanging.countDown();
          await().until(() -> end.getCount() == 0);
          return List.of();
        };
    try {
      settings.change(site("60m"));
      await().until(() -> hanging.getCount() == 0);
      settings.change(site("48m"));
      assertThat(sizeBytes()).as("meanwhile").isEqualTo(32L << 20);
      check = List::of;
      end.countDown();
      thread.execute(this::doAll);
      await().until(() -> sizeBytes() == 48L << 20);
    } finally {
      end.countDown();
      thread.shutdown();
      // What it logs is no line of the next test.
      assertThat(thread.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  private long sizeBytes() {
    return settings.current().space(TerraceSettings.SSD_SIZE).sizeBytes();
  }

  @Test
  void settingsThatNoThreadCanApplyStay() {
    threads =
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        };
    settings.change(site("60m"));
    assertThat(sizeBytes()).isEqualTo(32L << 20);

    threads = Runnable::run;
    settings.retry();
    doAll();
    assertThat(sizeBytes()).isEqualTo(60L << 20);
  }

  /** The change itself finds no thread, or what opens one of its paths. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aChangeThatFindsNoThreadIsMadeLater(boolean ofPath) throws InterruptedIOException {
    OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
    failure = ofPath ? ofPath(noThread) : noThread;
    settings.change(site("60m"));
    assertThat(sizeBytes()).isEqualTo(32L << 20);

    failure = null;
    settings.retry();
    doAll();
    assertThat(sizeBytes()).isEqualTo(60L << 20);
    settings.retry();
    assertThat(log.lines()).filteredOn(begun("32 MB", "60 MB")::equals).hasSize(2);
  }

  /** What the opening of a path fails with, as {@link SettingsException} of its tier. */
  private static SettingsException ofPath(Error cause) throws InterruptedIOException {
    Path path = Path.of("/nowhere");
    PathAnswers<Void> answers =
        PathAnswers.of(
            List.of(path),
            asked -> {
              throw cause;
            },
            Duration.ofSeconds(Patience.SECONDS));
    try {
      Void unused = answers.of(path);
      throw new AssertionError("the path answered");
    } catch (IOException e) {
      return new SettingsException(e.getMessage(), e);
    }
  }

  @Test
  void aSizeThatTheEndComesBeforeIsTold() {
    settings.change(site("60m"));
    tier.close();
    settings.change(site("48m"));

    assertThat(log.lines())
        .containsExactly(
            begun("32 MB", "60 MB"),
            "INFO Change of " + SIZE + " to 60 MB was given up: the cache is closing",
            "INFO Change of " + SIZE + " to 48 MB was given up: the cache is closing",
            begun("32 MB", "48 MB"));
    assertThat(device.regions()).isEqualTo(32);
  }

  @Test
  void aSizeThatCannotBeHadIsToldAndMayBeAskedForAgain() {
    device.maxRegions(40);
    settings.change(site("60m"));
    doAll();
    device.maxRegions(60);
    settings.change(site("60m"));
    doAll();

    assertThat(log.lines())
        .containsExactly(
            begun("32 MB", "60 MB"),
            "ERROR " + SIZE + " not changed: Auf dem Gerät ist kein Speicherplatz mehr verfügbar",
            begun("32 MB", "60 MB"),
            "INFO Terrace resized a tier: " + SIZE + " is 60 MB now");
  }

  /** HBase tells of one configuration several times. */
  @Test
  void theSameSizeOnceMoreBeforeItsEndIsNotedChangesNothing() {
    Queue<Runnable> held = new ArrayDeque<>();
    settings.change(site("60m"));
    threads = held::add;
    doAll();
    threads = Runnable::run;
    settings.change(site("60m"));
    held.forEach(Runnable::run);
    doAll();

    assertThat(log.lines())
        .containsExactly(
            begun("32 MB", "60 MB"), "INFO Terrace resized a tier: " + SIZE + " is 60 MB now");
  }

  @Test
  void aSizeWhoseEndNoThreadCanNoteMayBeAskedForAgain() {
    settings.change(site("60m"));
    threads =
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        };
    doAll();
    threads = Runnable::run;
    settings.retry();
    doAll();

    assertThat(settings.current().space(TerraceSettings.SSD_SIZE).sizeBytes()).isEqualTo(60L << 20);
    assertThat(log.lines())
        .last()
        .isEqualTo("INFO Terrace resized a tier: " + SIZE + " is 60 MB now");
  }

  /** What was asked for is not taken for what is there. */
  @Test
  void dramThatCouldNotGrowMayBeAskedForTheSameSizeAgain() {
    AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    ByteBufAllocator memory =
        (ByteBufAllocator)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ByteBufAllocator.class},
                (proxy, method, arguments) -> {
                  if (left.getAndDecrement() <= 0) {
                    throw new OutOfMemoryError("no direct memory");
                  }
                  return method.invoke(UnpooledByteBufAllocator.DEFAULT, arguments);
                });
    DramTier<CountedBlock> dram =
        new DramTier<>(
            CountedBlockCodec.sharing(LeaseLedger.counting()),
            new DramConfig(64 << 20, 0.5, Long.MAX_VALUE),
            new DramMemory(memory, () -> Long.MAX_VALUE, Runnable::run, 1));
    LiveSettings ofDram =
        new LiveSettings(
            ReadSettings.of(dramSite("64m")),
            Optional.of(dram),
            Map.of(),
            wanted -> List.of(),
            tables -> {},
            Runnable::run);
    left.set(2);
    ofDram.change(dramSite("512m"));
    assertThat(dram.capacityBytes()).isBetween(64L << 20, 511L << 20);
    assertThat(ofDram.current().dramSizeBytes()).isEqualTo(dram.capacityBytes());

    ofDram.change(dramSite("64m"));
    left.set(Integer.MAX_VALUE);
    ofDram.retry();
    assertThat(dram.capacityBytes()).as("no longer wanted").isLessThanOrEqualTo(64L << 20);
    left.set(2);
    ofDram.change(dramSite("512m"));
    assertThat(dram.capacityBytes()).isLessThan(512L << 20);
    left.set(Integer.MAX_VALUE);
    ofDram.retry();

    assertThat(dram.capacityBytes()).isEqualTo(512L << 20);
    assertThat(ofDram.current().dramSizeBytes()).isEqualTo(512L << 20);
    dram.close();
  }

  private static SiteValues dramSite(String size) {
    return new SiteValues(OpenCaches.conf("hbase.terrace.dram.size", size));
  }
}
