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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paths and the size of a tier on PMem or SSD, which change while it serves. Paths that are
 * left out are closed, and can be unmounted then; without any the tier rests. Thread-safe.
 */
final class LivePaths implements LiveSettings.LiveTier {

  private static final Logger LOG = LoggerFactory.getLogger(LivePaths.class);

  /** Paths that are tried at a time. */
  private static final int MOST_RETRIES = 16;

  private final RegionTier<?> tier;
  private final Opening opening;
  private final Executor thread;
  private final Executor retries;

  /** The paths that are being tried again. */
  private final Set<String> retried = ConcurrentHashMap.newKeySet();

  /** The last change of paths. They come one after the other; what a path holds up ends later. */
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  /** Opens devices of a tier's kind. */
  @FunctionalInterface
  interface Opening {

    /**
     * Opens all paths of a split, or none.
     *
     * @throws SettingsException if that fails
     */
    List<Device> open(PathSplit split);
  }

  /** A change that was made: {@code all} completes once what left is released. */
  private record Changed(CompletableFuture<Void> all) {}

  /** The paths of a tier, all of which are open. */
  LivePaths(RegionTier<?> tier, Opening opening) {
    this.tier = tier;
    this.opening = opening;
    this.thread = DeviceThreads.onDemand("terrace-" + tier.name() + "-paths", 1);
    this.retries = DeviceThreads.onDemand("terrace-" + tier.name() + "-retry", MOST_RETRIES);
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
    List<String> paths = wanted.paths().stream().map(Path::toString).toList();
    if (last.isDone() && wanted.isConfigured() && hasAll(paths)) {
      return tier.resize(wanted.sizeBytes());
    }
    CompletableFuture<Changed> change =
        last.handleAsync((nothing, failure) -> change(wanted, paths), thread);
    last = change.thenApply(changed -> null);
    return change.thenCompose(
        changed ->
            wanted.isConfigured()
                ? tier.resize(wanted.sizeBytes()).thenCombine(changed.all, (size, left) -> null)
                : changed.all);
  }

  /**
   * Tries paths again that could not be opened. What can be is warm, as after a start. Call it
   * every few seconds; it does not wait, and a path that hangs holds up no other one and no change.
   */
  void retryUnopened() {
    for (String path : tier.unopened()) {
      if (retried.add(path)) {
        boolean runs = false;
        try {
          retries.execute(() -> retry(path));
          runs = true;
        } finally {
          if (!runs) {
            retried.remove(path);
          }
        }
      }
    }
  }

  private void retry(String path) {
    try {
      takeIn(
          path,
          opening.open(
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
                Changed unused = replace(List.of(path), opened);
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
   * Opens the paths that come, and removes the others. Changes nothing if a path cannot be opened,
   * such as one that has left and is not released yet.
   */
  private Changed change(TierSpace wanted, List<String> paths) {
    List<String> leave = new ArrayList<>(tier.paths());
    leave.removeAll(paths);
    return replace(leave, open(wanted));
  }

  private Changed replace(List<String> leave, List<Device> coming) {
    boolean added = false;
    try {
      CompletableFuture<Void> released =
          leave.isEmpty()
              ? CompletableFuture.completedFuture(null)
              : tier.remove(leave).handle((nothing, failure) -> null);
      if (!coming.isEmpty()) {
        tier.add(coming);
      }
      added = true;
      return new Changed(released);
    } finally {
      if (!added) {
        coming.forEach(Device::close);
      }
    }
  }

  private List<Device> open(TierSpace wanted) {
    List<Path> coming = new ArrayList<>(wanted.paths());
    coming.removeIf(path -> tier.paths().contains(path.toString()));
    if (coming.isEmpty()) {
      return List.of();
    }
    checkAnswers(coming);
    PathSplit whole = wanted.split();
    long sizeBytes = coming.size() * whole.geometry().sizeBytes();
    return opening.open(new PathSplit(coming, sizeBytes, whole.regionBytes()));
  }

  /** A path that hangs would hold up each later change. */
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
