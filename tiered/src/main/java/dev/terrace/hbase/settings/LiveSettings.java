// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.dram.DramConfig;
import dev.terrace.dram.DramTier;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.folder.DiskMounts;
import dev.terrace.region.memory.DirectMemory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings in effect. When HBase reloads its configuration, live settings change at once and
 * the others wait for a restart. Thread-safe.
 *
 * <p>One thread makes all changes, since a check of a path may hang. Readers see a snapshot, and
 * never wait for a change.
 */
public final class LiveSettings {

  /** Tolerance: memory grows in larger pieces, and a size is rounded to whole pages. */
  private static final long A_CHUNK = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);

  private static final List<Setting<?>> SIZES =
      List.of(TerraceSettings.DRAM_SIZE, TerraceSettings.PMEM_SIZE, TerraceSettings.SSD_SIZE);

  private final Optional<? extends DramTier<?>> dram;
  private final Map<Setting<TierSize>, ? extends LiveTier> lasting;
  private final Function<TerraceSettings, List<Finding>> growthCheck;
  private final ChangeThread thread;
  private final AtomicReference<SiteValues> wanted = new AtomicReference<>();
  private volatile TerraceSettings current;
  private volatile Map<String, List<String>> outcome;

  /** The last wanted space of each tier that it does not have yet, by its size setting. */
  private final Map<Setting<?>, TierSpace> inFlight = new ConcurrentHashMap<>();

  private final Consumer<TerraceSettings> listener;

  /** The last configuration that was applied. */
  private volatile SiteValues last;

  // The fields below are used only by the thread that makes the changes.

  /** The findings of the previous change. HBase may report a change several times. */
  private Set<String> reported = Set.of();

  // Of the change in progress.
  private Set<String> found = new HashSet<>();
  private List<String> taken = new ArrayList<>();
  private List<String> refused = new ArrayList<>();
  private List<String> waiting = new ArrayList<>();

  /** A tier on PMem or SSD, whose size and paths may change while it serves. */
  public interface LiveTier {

    /** The size of its regions, which never changes. */
    int regionBytes();

    /** The space that it has now. */
    TierSpace space();

    /**
     * Gives the tier another space; with none it is idle.
     *
     * @return completed once it has that space, and has released the paths that it lost; cancelled
     *     by another change, or by the end of the tier
     */
    CompletableFuture<Void> become(TierSpace space);
  }

  /**
   * Starts with the settings that a cache was started with.
   *
   * @param dram its DRAM tier if it has one
   * @param lasting the tiers on PMem and SSD that it was started with, by their size settings
   * @param growthCheck finds what disks and memory lack for larger tiers
   * @param listener is given the settings after a live change of any setting but a size
   * @param thread makes the changes, one at a time
   */
  public LiveSettings(
      TerraceSettings initial,
      Optional<? extends DramTier<?>> dram,
      Map<Setting<TierSize>, ? extends LiveTier> lasting,
      Function<TerraceSettings, List<Finding>> growthCheck,
      Consumer<TerraceSettings> listener,
      Executor thread) {
    this.thread = new ChangeThread(thread);
    this.current = initial;
    this.dram = dram;
    this.lasting = lasting;
    this.growthCheck = growthCheck;
    this.listener = listener;
    this.outcome = outcome("");
  }

  /** Logs the warnings about the configuration with which a cache is about to start. */
  public static void log(List<Finding> warnings) {
    warnings.forEach(warning -> LOG.warn(warning.message()));
  }

  /** Warnings of the start are not logged again. */
  public void reported(List<Finding> warnings) {
    Set<String> messages =
        warnings.stream().map(Finding::message).collect(Collectors.toUnmodifiableSet());
    CompletableFuture<Void> unused = thread.run(() -> reported = messages);
  }

  /** The settings in effect, with DRAM's actual size if it could not grow. Never waits. */
  public TerraceSettings current() {
    TerraceSettings now = current;
    long wantedBytes = now.dramSizeBytes();
    long bytes = dram.map(DramTier::capacityBytes).orElse(wantedBytes);
    return wantedBytes - bytes < A_CHUNK ? now : now.with(TerraceSettings.DRAM_SIZE, bytes);
  }

  /**
   * What became of the last configuration that changed anything: {@code at} which time, what was
   * {@code taken}, what was {@code refused} and why, and what is {@code waiting} for a restart. All
   * are empty before the first one. Never waits.
   */
  public Map<String, List<String>> outcome() {
    return outcome;
  }

  private Map<String, List<String>> outcome(String at) {
    Map<String, List<String>> parts = new LinkedHashMap<>();
    parts.put("at", at.isEmpty() ? List.of() : List.of(at));
    parts.put("taken", List.copyOf(taken));
    parts.put("refused", List.copyOf(refused));
    parts.put("waiting", List.copyOf(waiting));
    return parts;
  }

  /**
   * Applies a configuration; if it is invalid, applies none of it. Returns when that is done, but
   * after two seconds at the latest: a path that hangs delays the change, not the caller. Of the
   * configurations that arrive until then, the last one is applied.
   */
  public void change(SiteValues site) {
    wanted.set(site);
    thread.runAndAwait(this::apply);
  }

  /**
   * Tries again what failed for lack of memory or threads: a change, and growth of the DRAM tier
   * once there is memory. Call it every few seconds. Waits as {@link #change}.
   */
  public void retry() {
    long missingBytes = current.dramSizeBytes() - current().dramSizeBytes();
    boolean hasMemory = missingBytes > 0 && missingBytes <= DirectMemory.freeBytes();
    if (thread.isIdle() && (wanted.get() != null || hasMemory)) {
      thread.runAndAwait(
          () -> {
            apply();
            if (hasMemory) {
              resizeDram(
                  current.dramSizeBytes(),
                  change -> LOG.info("Direct memory is available again: {}", change));
            }
          });
    }
  }

  /** Applies the last configuration that is wanted, if it is not yet applied. */
  private void apply() {
    SiteValues site = wanted.getAndSet(null);
    if (site == null) {
      return;
    }
    last = site;
    found = new HashSet<>();
    taken = new ArrayList<>();
    refused = new ArrayList<>();
    waiting = new ArrayList<>();
    SettingsReader.unknownKeys(site).stream()
        .map(Finding::message)
        .filter(this::isNew)
        .forEach(LOG::warn);
    try {
      change(SettingsReader.parse(site, current));
    } catch (SettingsException e) {
      refuse("New settings are invalid; Terrace keeps the present ones", e.getMessage());
    }
    // HBase may report a configuration several times.
    if (!taken.isEmpty() || !reported.containsAll(found)) {
      outcome = outcome(Instant.now().toString());
    }
    reported = found;
  }

  private void refuse(String what, String why) {
    if (isNew(why)) {
      LOG.error("{}: {}", what, why);
    }
    refused.add(what + ": " + why);
  }

  /** Whether the previous change did not have a finding. */
  private boolean isNew(String finding) {
    boolean isNew = !reported.contains(finding);
    found.add(finding);
    return isNew;
  }

  private void change(TerraceSettings wanted) {
    Set<Setting<?>> unchanged = changeSizes(wanted);
    TerraceSettings before = current;
    List<String> news = new ArrayList<>();
    for (Setting<?> setting : TerraceSettings.ALL) {
      String key = setting.key();
      String value = wanted.asMap().get(key);
      Setting<?> size = TerraceSettings.sizeOf(setting);
      if (value.equals(current.asMap().get(key))
          || unchanged.contains(size)
          || (size.equals(TerraceSettings.DRAM_SIZE) && isDramToStay(wanted))
          || (lasting.containsKey(size) && canBecome(size, wanted))) {
        continue;
      }
      if (setting.live() && !SIZES.contains(size)) {
        taken.add(key + " changed from " + current.asMap().get(key) + " to " + value);
        current = current.with(setting, wanted);
      } else {
        String wait = key + " takes effect at the next restart" + startsEmpty(setting);
        waiting.add(wait);
        if (isNew(key + "=" + value)) {
          news.add(wait);
        }
      }
    }
    news.addAll(0, taken);
    if (!current.equals(before)) {
      listener.accept(current);
    }
    if (!news.isEmpty()) {
      LOG.info("Terrace read new settings: {}", String.join("; ", news));
    }
  }

  /** Starts the changes of sizes that are possible. Returns the sizes that are refused. */
  private Set<Setting<?>> changeSizes(TerraceSettings wanted) {
    Set<Setting<?>> unchanged = new HashSet<>();
    // What waits for a restart takes its space there.
    TerraceSettings planned = current.with(TerraceSettings.DRAM_SIZE, wanted);
    if (isDramToStay(wanted)) {
      resizeDram(wanted.dramSizeBytes(), taken::add);
      planned = current;
    } else if (!mayGrow(TerraceSettings.DRAM_SIZE, current, planned)) {
      unchanged.add(TerraceSettings.DRAM_SIZE);
      planned = current;
    }
    for (Setting<TierSize> size : List.of(TerraceSettings.PMEM_SIZE, TerraceSettings.SSD_SIZE)) {
      TerraceSettings next = planned.with(size, wanted.space(size));
      boolean isUnderWay = wanted.space(size).equals(inFlight.get(size));
      if (!isUnderWay && !mayGrow(size, planned, next)) {
        unchanged.add(size);
      } else {
        planned = next;
        if (lasting.containsKey(size) && canBecome(size, wanted)) {
          changeSpace(size, wanted.space(size));
        }
      }
    }
    return unchanged;
  }

  private boolean isDramToStay(TerraceSettings wanted) {
    return dram.isPresent() && wanted.dramSizeBytes() > 0;
  }

  /** Whether a tier can take on the wanted space while it serves. */
  private boolean canBecome(Setting<?> size, TerraceSettings wanted) {
    TierSpace space = wanted.space(size);
    return !space.isConfigured() || space.split().regionBytes() == lasting.get(size).regionBytes();
  }

  private String startsEmpty(Setting<?> setting) {
    if (setting.equals(TerraceSettings.ENCRYPTION) && !lasting.isEmpty()) {
      return ", and empties the tiers on PMem and SSD";
    }
    return lasting.containsKey(TerraceSettings.sizeOf(setting))
        ? ", and empties the tier, because its region size changes"
        : "";
  }

  /** Starts the change of a tier on PMem or SSD, unless it has the space, or is about to. */
  private void changeSpace(Setting<TierSize> size, TierSpace wanted) {
    TierSpace present = current.space(size);
    if (wanted.equals(inFlight.getOrDefault(size, present))) {
      return;
    }
    if (!wanted.isConfigured()) {
      LOG.warn(
          "{}=0 closes the tier; lookups there miss. The contents of {} are kept and used again if"
              + " the tier is enabled; delete the folder terrace in each to free the space",
          size.key(),
          text(present.paths()));
    }
    inFlight.put(size, wanted);
    addChange(size, present.size().toString(), wanted.size().toString());
    addChange(TerraceSettings.paths(size), text(present.paths()), text(wanted.paths()));
    CompletableFuture<Void> done = lasting.get(size).become(wanted);
    var unused =
        done.whenComplete(
            (nothing, failure) -> {
              if (thread.run(() -> changed(size, wanted, failure)).isCompletedExceptionally()) {
                // No thread could be started to record the end. The retry finds it.
                inFlight.remove(size, wanted);
                this.wanted.compareAndSet(null, last);
              }
            });
  }

  private void addChange(Setting<?> setting, String before, String after) {
    if (!before.equals(after)) {
      taken.add(setting.key() + " changes from " + before + " to " + after);
    }
  }

  private static String text(List<Path> paths) {
    return TerraceSettings.SSD_PATHS.text(paths);
  }

  /**
   * Whether a tier needs no more than before, or disks and memory suffice for it: now, or at the
   * next start. Logs what is missing, or scarce.
   */
  private boolean mayGrow(Setting<?> size, TerraceSettings before, TerraceSettings grown) {
    if (!needsMore(before, grown)) {
      return true;
    }
    List<Finding> findings = growthCheck.apply(grown);
    for (Finding finding : findings) {
      if (finding.isError()) {
        refuse(size.key() + " not changed", finding.message());
      } else if (isNew(finding.message())) {
        LOG.warn(finding.message());
      }
    }
    return findings.stream().noneMatch(Finding::isError);
  }

  private static boolean needsMore(TerraceSettings before, TerraceSettings grown) {
    return grown.dramSizeBytes() > before.dramSizeBytes()
        || needsMore(before.pmem().sizes(), grown.pmem().sizes())
        || needsMore(before.ssd().sizes(), grown.ssd().sizes());
  }

  private static boolean needsMore(Map<Path, Long> before, Map<Path, Long> grown) {
    return grown.entrySet().stream()
        .anyMatch(path -> path.getValue() > before.getOrDefault(path.getKey(), 0L));
  }

  private void changed(Setting<TierSize> size, TierSpace space, Throwable failure) {
    boolean isLast = inFlight.remove(size, space);
    TierSpace before = current.space(size);
    String wanted = space.size().toString();
    if (failure == null) {
      if (isLast || inFlight.containsKey(size)) {
        current = current.with(size, space);
      }
      LOG.info("Terrace resized a tier: {} is {} now", size.key(), wanted);
      List<Path> released = new ArrayList<>(before.paths());
      released.removeAll(space.paths());
      released.forEach(
          path ->
              LOG.info(
                  "Released {}: no file there is open in this server. To free its disk: {}",
                  path,
                  DiskMounts.of(path).howToFree()));
    } else if (causeOf(failure) instanceof CancellationException) {
      LOG.info(
          "Change of {} to {} was given up: {}",
          size.key(),
          wanted,
          isLast ? "the cache is closing" : "replaced by a newer value");
    } else {
      TierSpace now = lasting.get(size).space();
      if (!now.paths().equals(before.paths())) {
        current = current.with(size, now);
      }
      Throwable cause = causeOf(failure);
      if (ExceptionUtils.indexOfType(cause, OutOfMemoryError.class) >= 0) {
        // No thread, for example, for the change or for one of its paths.
        this.wanted.compareAndSet(null, last);
      }
      LOG.error("{} not changed: {}", size.key(), cause.getMessage(), failure);
      List<String> all = new ArrayList<>(outcome.get("refused"));
      all.add(size.key() + " not changed: " + cause.getMessage());
      Map<String, List<String>> parts = new LinkedHashMap<>(outcome);
      parts.put("refused", all);
      outcome = parts;
    }
  }

  private static Throwable causeOf(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? causeOf(failure.getCause())
        : failure;
  }

  /** Resizes the DRAM tier if it exists and the size is possible. Waits as {@link #change}. */
  public void changeDramSize(long sizeBytes) {
    thread.runAndAwait(
        () -> {
          if (dram.isEmpty()) {
            LOG.info(
                "{} not applied: adding or removing the DRAM tier needs a restart",
                TerraceSettings.DRAM_SIZE.key());
          } else {
            resizeDram(sizeBytes, change -> LOG.info("Terrace resized the DRAM tier: {}", change));
          }
        });
  }

  /** Resizes the DRAM tier, which exists, unless it has the size, or lacks memory for it. */
  private void resizeDram(long sizeBytes, Consumer<String> resized) {
    Setting<Long> size = TerraceSettings.DRAM_SIZE;
    TerraceSettings present = current();
    if (sizeBytes == present.dramSizeBytes()) {
      current = present;
      return;
    }
    // The tier itself rejects a size that it can never have.
    boolean needsCheck = sizeBytes <= DramConfig.MAX_CAPACITY_BYTES;
    if (needsCheck && !mayGrow(size, present, present.with(size, sizeBytes))) {
      return;
    }
    DramTier<?> tier = dram.get();
    try {
      tier.resize(sizeBytes);
      current = current.with(size, sizeBytes);
      resized.accept(
          size.key()
              + " changed from "
              + ByteSize.readable(present.dramSizeBytes())
              + " to "
              + ByteSize.readable(sizeBytes));
    } catch (IllegalArgumentException e) {
      refuse(size.key() + " not changed", e.getMessage());
    } catch (OutOfMemoryError e) {
      String bytes = ByteSize.readable(tier.capacityBytes());
      LOG.debug("Memory for the DRAM tier", e);
      refuse(
          "DRAM tier limited to " + bytes + " until there is memory for more",
          DirectMemoryNeeds.noneLeftFor(sizeBytes));
      current = current.with(size, sizeBytes);
    }
  }
}
