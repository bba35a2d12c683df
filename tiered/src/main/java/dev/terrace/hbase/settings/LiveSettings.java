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
package dev.terrace.hbase.settings;

import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.region.RegionTier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings in effect. When HBase reloads its configuration, live settings change at once and
 * the others wait for a restart. Thread-safe.
 */
public final class LiveSettings {

  private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);

  /** The settings that a tier is resized for. */
  private static final Set<Setting<Long>> SIZES =
      Set.of(TerraceSettings.DRAM_SIZE, TerraceSettings.PMEM_SIZE, TerraceSettings.SSD_SIZE);

  private final Optional<? extends DramTier<?>> dram;
  private final Map<Setting<Long>, ? extends RegionTier<?>> lasting;
  private final Function<TerraceSettings, List<Finding>> growthCheck;

  /** The last change of each tier's size, by its setting, until it ends. */
  private final Map<Setting<?>, Change> underWay = new HashMap<>();

  private int changesBegun;

  private final Consumer<TerraceSettings> listener;
  private TerraceSettings current;

  /** The findings of the last change. HBase may report one change several times. */
  private Set<String> reported = Set.of();

  /** A change of a tier's size. The number tells it from an earlier one to the same size. */
  private record Change(int number, long sizeBytes) {}

  /**
   * The settings that a cache was started with.
   *
   * @param dram its DRAM tier if it has one
   * @param lasting its tiers on PMem and SSD, by the settings of their sizes
   * @param growthCheck finds what disks and memory lack for larger tiers
   * @param listener gets the settings after a live one changed that is not a size
   */
  public LiveSettings(
      TerraceSettings initial,
      Optional<? extends DramTier<?>> dram,
      Map<Setting<Long>, ? extends RegionTier<?>> lasting,
      Function<TerraceSettings, List<Finding>> growthCheck,
      Consumer<TerraceSettings> listener) {
    this.current = initial;
    this.dram = dram;
    this.lasting = lasting;
    this.growthCheck = growthCheck;
    this.listener = listener;
  }

  /** Logs the warnings about the configuration that a cache is going to be started with. */
  public static void log(List<Finding> warnings) {
    warnings.forEach(warning -> LOG.warn(warning.message()));
  }

  /** Notes the warnings that were logged at the start, so that they are not logged again. */
  public synchronized void reported(List<Finding> warnings) {
    reported = warnings.stream().map(Finding::message).collect(Collectors.toUnmodifiableSet());
  }

  public synchronized TerraceSettings current() {
    return current;
  }

  /** Applies a configuration; if it is invalid, applies none of it. */
  public synchronized void change(SiteValues site) {
    List<String> unknown = SettingsReader.unknownKeys(site).stream().map(Finding::message).toList();
    Set<String> found = new HashSet<>(unknown);
    unknown.stream().filter(this::isNew).forEach(LOG::warn);
    try {
      change(SettingsReader.parse(site), found);
    } catch (SettingsException e) {
      found.add(e.getMessage());
      if (isNew(e.getMessage())) {
        LOG.error("Terrace keeps its settings; the new ones are invalid: {}", e.getMessage());
      }
    }
    reported = found;
  }

  private boolean isNew(String finding) {
    return !reported.contains(finding);
  }

  private void change(TerraceSettings wanted, Set<String> found) {
    List<String> changes = new ArrayList<>();
    changeSizes(wanted, changes, found);
    TerraceSettings before = current;
    for (Setting<?> setting : TerraceSettings.ALL) {
      String key = setting.key();
      String value = wanted.asMap().get(key);
      if (value.equals(current.asMap().get(key)) || isLiveSize(setting, wanted)) {
        continue;
      }
      if (setting.live() && !SIZES.contains(setting)) {
        changes.add(key + " changed from " + current.asMap().get(key) + " to " + value);
        current = current.with(setting, wanted);
      } else if (isNewIn(found, key + "=" + value)) {
        changes.add(key + " takes effect at the next restart" + startsEmpty(setting, wanted));
      }
    }
    if (!current.equals(before)) {
      listener.accept(current);
    }
    if (!changes.isEmpty()) {
      LOG.info("Terrace read new settings: {}", String.join("; ", changes));
    }
  }

  private boolean isNewIn(Set<String> found, String finding) {
    found.add(finding);
    return isNew(finding);
  }

  private void changeSizes(TerraceSettings wanted, List<String> changes, Set<String> found) {
    if (isDramToStay(wanted)
        && wanted.dramSizeBytes() != current.dramSizeBytes()
        && canBe(TerraceSettings.DRAM_SIZE, wanted.dramSizeBytes(), found)) {
      changes.add(resize(dram.get(), wanted.dramSizeBytes()));
    }
    for (Setting<Long> size : lasting.keySet()) {
      if (current.space(size).canBecome(wanted.space(size))) {
        changeSpace(size, wanted.space(size).sizeBytes(), changes, found);
      }
    }
  }

  private boolean isDramToStay(TerraceSettings wanted) {
    return dram.isPresent() && wanted.dramSizeBytes() > 0;
  }

  /** Whether a setting is the size of a tier that can have the wanted one while it serves. */
  private boolean isLiveSize(Setting<?> setting, TerraceSettings wanted) {
    return (setting.equals(TerraceSettings.DRAM_SIZE) && isDramToStay(wanted))
        || lasting.keySet().stream()
            .filter(setting::equals)
            .anyMatch(size -> current.space(size).canBecome(wanted.space(size)));
  }

  private String startsEmpty(Setting<?> setting, TerraceSettings wanted) {
    if (setting.equals(TerraceSettings.ENCRYPTION) && !lasting.isEmpty()) {
      return ", and empties the tiers on PMem and SSD";
    }
    boolean isOfOtherRegions =
        lasting.keySet().stream()
            .filter(setting::equals)
            .anyMatch(size -> current.space(size).hasOtherRegions(wanted.space(size)));
    return isOfOtherRegions ? ", and empties the tier: its regions get another size" : "";
  }

  /** Begins to resize a tier on PMem or SSD, unless it cannot have the size. */
  private void changeSpace(
      Setting<Long> size, long wantedBytes, List<String> changes, Set<String> found) {
    long currentBytes = current.space(size).sizeBytes();
    Change last = underWay.get(size);
    if (wantedBytes == (last == null ? currentBytes : last.sizeBytes())) {
      return;
    }
    if (!canBe(size, wantedBytes, found)) {
      return;
    }
    Change change = new Change(++changesBegun, wantedBytes);
    underWay.put(size, change);
    changes.add(
        size.key()
            + " changes from "
            + ByteSize.readable(currentBytes)
            + " to "
            + ByteSize.readable(wantedBytes));
    CompletableFuture<Void> resize = lasting.get(size).resize(wantedBytes);
    var unused = resize.whenComplete((done, failure) -> resized(size, change, failure));
  }

  /** Whether disks and memory have what a tier lacks for a size; the log tells if not. */
  private boolean canBe(Setting<Long> size, long wantedBytes, Set<String> found) {
    if (wantedBytes <= current.get(size)) {
      return true;
    }
    List<Finding> lacks = growthCheck.apply(current.with(size, wantedBytes));
    for (Finding lack : lacks) {
      if (isNewIn(found, lack.message())) {
        LOG.error("{} keeps its value: {}", size.key(), lack.message());
      }
    }
    return lacks.isEmpty();
  }

  /** On a thread of the tier. */
  private synchronized void resized(Setting<Long> size, Change change, Throwable failure) {
    boolean isLast = underWay.remove(size, change);
    String wanted = ByteSize.readable(change.sizeBytes());
    if (failure == null) {
      if (isLast || underWay.containsKey(size)) {
        current = current.with(size, change.sizeBytes());
      }
      LOG.info("Terrace resized a tier: {} is {} now", size.key(), wanted);
    } else if (failure.getCause() instanceof CancellationException) {
      LOG.info(
          "The change of {} to {} was given up: {}",
          size.key(),
          wanted,
          isLast ? "the cache closes" : "another size is wanted");
    } else {
      LOG.error("{} keeps its value: {}", size.key(), failure.getCause().getMessage(), failure);
    }
  }

  /** Resizes the DRAM tier if it exists and the size is possible. */
  public synchronized void changeDramSize(long sizeBytes) {
    if (dram.isEmpty()) {
      LOG.info(
          "{} was changed, but there is no DRAM tier: adding or removing it needs a restart",
          TerraceSettings.DRAM_SIZE.key());
    } else if (sizeBytes != current.dramSizeBytes()
        // The tier itself refuses what it can never have.
        && (sizeBytes > DramConfig.MAX_CAPACITY_BYTES
            || canBe(TerraceSettings.DRAM_SIZE, sizeBytes, new HashSet<>()))) {
      String change = resize(dram.get(), sizeBytes);
      LOG.info("Terrace resizes the DRAM tier: {}", change);
    }
  }

  private String resize(DramTier<?> tier, long sizeBytes) {
    String key = TerraceSettings.DRAM_SIZE.key();
    String before = ByteSize.readable(current.dramSizeBytes());
    try {
      tier.resize(sizeBytes);
    } catch (IllegalArgumentException | OutOfMemoryError e) {
      long sizeNow = tier.stats().space().capacityBytes();
      LOG.error("The DRAM tier could not grow to {}={}: it has {} now", key, sizeBytes, sizeNow, e);
      current = current.with(TerraceSettings.DRAM_SIZE, sizeNow);
      return key + " was to change from " + before + ", which failed";
    }
    current = current.with(TerraceSettings.DRAM_SIZE, sizeBytes);
    return key + " changed from " + before + " to " + ByteSize.readable(sizeBytes);
  }
}
