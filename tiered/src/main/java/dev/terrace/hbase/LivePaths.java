// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.hbase.settings.LiveSettings;
import dev.terrace.hbase.settings.SettingsException;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.RegionTier;
import dev.terrace.region.device.Device;
import dev.terrace.region.device.DeviceThreads;
import dev.terrace.region.folder.PathAnswers;
import dev.terrace.region.folder.PathSplit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
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

  /** The last change of paths. Changes run in turn, but do not wait for a path's release. */
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  /** Removed paths that are not released yet. */
  private final Map<String, CompletableFuture<Void>> leaving = new ConcurrentHashMap<>();

  private volatile TierSpace newest = TierSpace.NONE;

  private record Released(CompletableFuture<Void> all) {}

  /**
   * Wraps a tier whose paths are all open.
   *
   * @param opening opens all paths of a split, or none; throws a {@link SettingsException} if that
   *     fails
   */
  LivePaths(RegionTier<?> tier, Function<PathSplit, List<Device>> opening) {
    this.tier = tier;
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
  public synchronized CompletableFuture<Void> become(TierSpace wanted) {
    newest = wanted;
    List<String> paths = wanted.paths().stream().map(Path::toString).toList();
    if (last.isDone() && wanted.isConfigured() && hasAll(paths)) {
      return tier.resize(wanted.sizeBytes());
    }
    CompletableFuture<Released> change =
        last.handleAsync((nothing, failure) -> change(wanted, paths), thread);
    last = change.thenApply(released -> null);
    return change.thenCompose(
        released ->
            wanted.isConfigured() && hasAll(paths)
                ? tier.resize(wanted.sizeBytes()).thenCombine(released.all, (size, left) -> null)
                : released.all);
  }

  /**
   * Retries the paths that could not be opened. A path that opens is warm, as after a start. Call
   * every few seconds. Does not wait; a path that hangs delays neither another path nor a change.
   */
  void retryUnopened() {
    for (String path : tier.unopened()) {
      if (retried.add(path)) {
        try {
          retries.execute(() -> retry(path));
        } catch (RuntimeException | Error e) {
          retried.remove(path);
          throw e;
        }
      }
    }
  }

  private void retry(String path) {
    try {
      takeIn(
          path,
          opening.apply(
              new PathSplit(List.of(Path.of(path)), tier.pathBytes(), tier.regionBytes())));
    } catch (IllegalArgumentException e) {
      LOG.debug("{} cannot be opened yet", path, e);
    } finally {
      retried.remove(path);
    }
  }

  private synchronized void takeIn(String path, List<Device> opened) {
    last =
        last.handleAsync(
            (nothing, failure) -> {
              if (tier.unopened().contains(path)) {
                List<CompletableFuture<Void>> unused = replace(List.of(path), opened);
              } else {
                opened.forEach(Device::close);
              }
              return null;
            },
            thread);
  }

  private boolean hasAll(List<String> paths) {
    List<String> present = tier.paths();
    return present.size() == paths.size() && present.containsAll(paths);
  }

  /**
   * Opens the new paths, and removes the others. Changes nothing if a path cannot be opened.
   *
   * @return completed once the removed paths are released, and all new ones are open
   */
  private Released change(TierSpace wanted, List<String> paths) {
    List<String> leave = new ArrayList<>(tier.paths());
    leave.removeAll(paths);
    List<CompletableFuture<Void>> released = replace(leave, open(wanted));
    paths.stream()
        .filter(leaving::containsKey)
        .forEach(path -> released.add(comeBack(path, wanted)));
    return new Released(CompletableFuture.allOf(released.toArray(CompletableFuture[]::new)));
  }

  private List<CompletableFuture<Void>> replace(List<String> leave, List<Device> coming) {
    List<CompletableFuture<Void>> released = new ArrayList<>();
    try {
      leave.forEach(path -> released.add(leave(path)));
      if (!coming.isEmpty()) {
        tier.add(coming);
      }
    } catch (RuntimeException | Error e) {
      coming.forEach(Device::close);
      throw e;
    }
    return released;
  }

  private CompletableFuture<Void> leave(String path) {
    CompletableFuture<Void> released =
        tier.remove(List.of(path))
            .handle(
                (nothing, failure) -> {
                  leaving.remove(path);
                  return null;
                });
    leaving.put(path, released);
    if (released.isDone()) {
      leaving.remove(path);
    }
    return released;
  }

  /** Adds a path again once its earlier removal has finished. Nothing else waits for it. */
  private CompletableFuture<Void> comeBack(String path, TierSpace wanted) {
    LOG.warn(
        "{} comes back once it is released: reads or writes of before have not ended there", path);
    return leaving
        .getOrDefault(path, CompletableFuture.completedFuture(null))
        .thenCompose(
            released ->
                wanted.equals(newest) ? become(wanted) : CompletableFuture.completedFuture(null));
  }

  private List<Device> open(TierSpace wanted) {
    List<Path> coming = new ArrayList<>(wanted.paths());
    coming.removeIf(
        path -> tier.paths().contains(path.toString()) || leaving.containsKey(path.toString()));
    if (coming.isEmpty()) {
      return List.of();
    }
    checkAnswers(coming);
    PathSplit whole = wanted.split();
    long sizeBytes = coming.size() * whole.geometry().sizeBytes();
    return opening.apply(new PathSplit(coming, sizeBytes, whole.regionBytes()));
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
