// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.settings.LiveSettings;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.region.folder.CacheFolder;
import dev.terrace.region.folder.PathAnswers;
import dev.terrace.region.folder.PathSplit;
import dev.terrace.region.folder.UnopenedDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paths and the size of a tier on PMem or SSD, which may change while it serves. Paths that are
 * removed are closed, and can then be unmounted; without any path the tier is idle. Thread-safe.
 */
final class LivePaths implements LiveSettings.LiveTier {

  private static final Logger LOG = LoggerFactory.getLogger(LivePaths.class);

  /** Maximum paths retried at a time. */
  private static final int MAX_RETRIES = 16;

  private final RegionTier<?> tier;
  private final Function<PathSplit, List<Device>> opening;
  private final Executor thread;
  private final Executor retries;

  /** Paths with a retry in progress. */
  private final Set<String> retried = ConcurrentHashMap.newKeySet();

  private volatile TierSpace newest;

  /**
   * Wraps a tier whose paths are all open.
   *
   * @param space the space that it was opened with
   * @param opening opens all paths of a split, or none; throws a {@link SettingsException} if that
   *     fails
   */
  LivePaths(RegionTier<?> tier, TierSpace space, Function<PathSplit, List<Device>> opening) {
    this.tier = tier;
    this.newest = space;
    this.opening = opening;
    this.thread = DeviceThreads.onDemand("terrace-" + tier.name() + "-paths", 1);
    this.retries = DeviceThreads.onDemand("terrace-" + tier.name() + "-retry", MAX_RETRIES);
  }

  @Override
  public int regionBytes() {
    return tier.regionBytes();
  }

  @Override
  public TierSpace space() {
    List<Path> paths = tier.paths().stream().map(Path::of).toList();
    return paths.isEmpty() ? TierSpace.NONE : new TierSpace(paths, tier.capacityBytes());
  }

  @Override
  public CompletableFuture<Void> become(TierSpace wanted) {
    newest = wanted;
    return inTurn(() -> change(wanted));
  }

  /** Runs a change after those before it. It does not wait for the release of their paths. */
  private CompletableFuture<Void> inTurn(Supplier<CompletableFuture<Void>> change) {
    return CompletableFuture.completedFuture(null)
        .thenComposeAsync(nothing -> change.get(), thread);
  }

  /**
   * Retries the paths that could not be opened. A path that opens is warm, as after a start. Call
   * every few seconds. Does not wait; a path that hangs delays neither another path nor a change.
   */
  void retryUnopened() {
    for (UnopenedDevice out : tier.unopened()) {
      if (retried.add(out.path())) {
        try {
          retries.execute(() -> retry(out));
        } catch (RuntimeException | Error e) {
          retried.remove(out.path());
          throw e;
        }
      }
    }
  }

  private void retry(UnopenedDevice out) {
    Path path = Path.of(out.path());
    try {
      long sizeBytes = tier.pathBytes(out.path());
      if (newest.size().isShare()) {
        // The disk was not measured. Its blocks stay until the shares are next worked out.
        sizeBytes = Math.max(sizeBytes, CacheFolder.regionsFileBytes(path));
      }
      List<Device> opened =
          opening.apply(new PathSplit(Map.of(path, sizeBytes), tier.regionBytes()));
      takeIn(out, opened);
    } catch (SettingsException | IOException e) {
      LOG.debug("{}: still cannot be opened", path, e);
    } catch (RuntimeException | Error e) {
      // Logs the refusal, and shows it as the reason; not again while it stays the same.
      IOException refusal = new IOException(Objects.requireNonNullElse(e.getMessage(), "" + e), e);
      if (!refusal.getMessage().equals(out.why().getMessage())) {
        takeIn(out, List.of(out.because(refusal)));
      }
    } finally {
      retried.remove(out.path());
    }
  }

  private synchronized void takeIn(UnopenedDevice out, List<Device> opened) {
    if (tier.unopened().contains(out)) {
      var unused = replace(List.of(out.path()), opened);
    } else {
      opened.forEach(Device::close);
    }
  }

  /**
   * Opens the new paths, and removes the others. Changes nothing if a path cannot be opened, or is
   * refused.
   *
   * @return completed once the removed paths are released, and all new ones are open
   */
  private CompletableFuture<Void> change(TierSpace wanted) {
    List<Path> present = space().paths();
    List<Path> coming = new ArrayList<>(wanted.paths());
    coming.removeAll(present);
    List<Path> held = new ArrayList<>(coming);
    held.removeIf(path -> tier.released(path.toString()).isDone());
    coming.removeAll(held);
    List<String> leave =
        present.stream()
            .filter(path -> !wanted.paths().contains(path))
            .map(Path::toString)
            .toList();
    List<Device> opened = coming.isEmpty() ? List.of() : open(coming, wanted.split());
    CompletableFuture<Void> released = replace(leave, opened);
    CompletableFuture<Void> rest = released;
    if (!held.isEmpty()) {
      rest = comeBack(held, wanted);
    } else if (wanted.isConfigured()) {
      Map<Path, Long> sizes = wanted.split().sizes();
      rest = tier.resize(path -> sizes.get(Path.of(path)));
    }
    return CompletableFuture.allOf(released, rest);
  }

  /** Replaces paths, all or none; closes the devices if they are refused. */
  private synchronized CompletableFuture<Void> replace(List<String> leave, List<Device> coming) {
    try {
      return tier.replace(leave, coming);
    } catch (RuntimeException | Error e) {
      coming.forEach(Device::close);
      throw e;
    }
  }

  /** Adds paths again once their earlier removal has finished. Nothing else waits for it. */
  private CompletableFuture<Void> comeBack(List<Path> held, TierSpace wanted) {
    LOG.warn(
        "{} re-added once I/O from before its removal has ended; until then its blocks are misses",
        held);
    return CompletableFuture.anyOf(
            held.stream()
                .map(path -> tier.released(path.toString()))
                .toArray(CompletableFuture[]::new))
        .thenCompose(
            released ->
                inTurn(
                    () ->
                        wanted.equals(newest)
                            ? change(wanted)
                            : CompletableFuture.completedFuture(null)));
  }

  private List<Device> open(List<Path> coming, PathSplit whole) {
    checkAnswers(coming);
    return opening.apply(whole.only(coming));
  }

  /** Rejects paths that hang: one of them would block every later change. */
  private static void checkAnswers(List<Path> paths) {
    try {
      PathAnswers<Boolean> answers = PathAnswers.of(paths, Files::exists, PathAnswers.LIMIT);
      for (Path path : paths) {
        boolean unused = answers.of(path);
      }
    } catch (IOException e) {
      throw new SettingsException(e.getMessage(), e);
    }
  }
}
