// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.LogQueue;
import dev.terrace.api.PathStats.Condition;
import dev.terrace.api.PathStats.State;
import dev.terrace.api.RateLimitedLog.Backoff;
import dev.terrace.api.TierCounters;
import dev.terrace.api.TierFault;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators see of a device: its condition, its fault counters and its log lines. A fault is
 * logged when it begins, ever more rarely while it lasts, and when it ends. Stack traces are logged
 * only at DEBUG. Thread-safe.
 */
final class PathReport {

  /*
   * An intermittent fault is logged no more often than a persistent one: its backoff state is kept
   * until the fault has been quiet for a full interval. The end is logged only if the start was.
   */

  /** The effect of a fault, from the least to the most severe. */
  enum Effect {
    METADATA("recovery metadata not read or saved", ""),
    READ("a read failed, its block is a miss", ""),
    WRITE("a write failed and will be retried", ""),
    DAMAGE("corrupt blocks are dropped, and are misses", "no more corruption for 15 min"),
    SLOW("reads that are abandoned are misses", "answers in time again"),
    FULL("writes paused until a whole region fits; reads continue", "has space again"),
    READ_ONLY("writes paused until one succeeds; reads continue", "writes work again"),
    OUT("out of service, its blocks are misses until it works again", "back in service");

    private final String begin;
    private final String end;

    Effect(String begin, String end) {
      this.begin = begin;
      this.end = end;
    }

    private boolean lasts() {
      return !end.isEmpty();
    }
  }

  /** The logging state of one fault with one effect. */
  private static final class FaultState {
    final Effect effect;
    final DeviceFault fault;
    final Backoff backoff;
    long beganNanos;
    long unlogged;
    boolean lasts;
    boolean isLogged;
    String details;

    FaultState(Effect effect, DeviceFault fault, long now) {
      this.effect = effect;
      this.fault = fault;
      this.backoff = new Backoff(effect == Effect.SLOW ? now + UNLOGGED_SLOW_NANOS : now);
    }

    private String advice() {
      return fault.advice(details);
    }

    private String period(long now) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(now - beganNanos);
      return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
    }
  }

  /** Longer than a device counts as slow after a burst of reads, or after a hang. */
  private static final long UNLOGGED_SLOW_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** As few are normal after a crash. */
  private static final int MAX_DAMAGES = 5;

  private static final long DAMAGE_SHOWN_NANOS = TimeUnit.MINUTES.toNanos(15);

  private static final Logger LOG = LoggerFactory.getLogger(PathReport.class);

  final TierCounters counters;
  private final String path;
  private final LongSupplier nanoTime;
  private final LongAdder errors = new LongAdder();

  /** The one that was seen last is the last. */
  private final List<FaultState> faultStates = new ArrayList<>();

  private int damages;
  private long damagedNanos;

  private Condition shown = new Condition(State.IN_SERVICE, Instant.now(), "");

  PathReport(String path, LongSupplier nanoTime, TierCounters counters) {
    this.path = path;
    this.counters = counters;
    this.nanoTime = nanoTime;
  }

  /**
   * The condition, given the breakers' state. Its time is that of the first call that found it.
   *
   * @param isAvoided whether many readers gave up lately
   */
  synchronized Condition condition(State state, boolean isAvoided) {
    boolean works = state == State.IN_SERVICE;
    boolean isSlow = works && isAvoided;
    if (!works) {
      faultStates.removeIf(entry -> entry.effect == Effect.SLOW);
    } else if (!isSlow) {
      ended(Effect.SLOW);
    } else if (faultStates.stream()
        .noneMatch(entry -> entry.effect == Effect.SLOW && entry.lasts)) {
      fault(Effect.SLOW, DeviceFault.SLOW, "", null);
    }
    State now = isSlow ? State.SLOW : state;
    String reason = worst().map(FaultState::advice).orElse("");
    if (now != shown.state() || !reason.equals(shown.why())) {
      Instant since = now == shown.state() ? shown.since() : Instant.now();
      shown = new Condition(now, since, reason);
    }
    return shown;
  }

  long errors() {
    return errors.sum();
  }

  void error(TierFault fault) {
    counters.fault(fault);
    errors.increment();
  }

  /** Counts a damaged block or region, and reports several of them as a fault that lasts. */
  synchronized void damaged(TierFault fault) {
    counters.fault(fault);
    damagedNanos = nanoTime.getAsLong();
    if (++damages > MAX_DAMAGES) {
      fault(Effect.DAMAGE, DeviceFault.DAMAGE, "", null);
    }
  }

  /**
   * Reports a fault that began or recurred. Call it before the device's state changes: if the
   * effect lasts, the next condition gives the fault as its reason.
   *
   * @param details more about it; empty for none
   * @param cause for DEBUG; null if there is none
   */
  synchronized void fault(Effect effect, DeviceFault fault, String details, Throwable cause) {
    if (LOG.isDebugEnabled()) {
      LogQueue.add(() -> LOG.debug("{}: {} {} {}", path, effect, fault, details, cause));
    }
    long now = nanoTime.getAsLong();
    faultStates.removeIf(entry -> !entry.lasts && entry.backoff.isReset(now));
    if (!effect.lasts()
        && faultStates.stream().anyMatch(c -> c.fault == fault && c.effect.lasts())) {
      return;
    }
    FaultState entry =
        faultStates.stream()
            .filter(each -> each.effect == effect && each.fault == fault)
            .findFirst()
            .orElseGet(() -> new FaultState(effect, fault, now));
    faultStates.remove(entry);
    faultStates.add(entry);
    if (!entry.lasts) {
      entry.lasts = effect.lasts();
      entry.beganNanos = now;
    }
    entry.details = details;
    entry.unlogged++;
    if (entry.backoff.tryAcquire(now)) {
      write(entry, entry.unlogged == 1 ? "" : entry.unlogged + " times since the last such line: ");
    }
  }

  /** Logs the worst lasting fault again, if it is time to. Call it about once a second. */
  synchronized void remind() {
    long now = nanoTime.getAsLong();
    if (damages > 0 && now - damagedNanos > DAMAGE_SHOWN_NANOS) {
      damages = 0;
      ended(Effect.DAMAGE);
    }
    worst()
        .filter(worst -> worst.backoff.tryAcquire(now))
        .ifPresent(worst -> write(worst, "for " + worst.period(now) + ": "));
  }

  /** The lasting fault with the most severe effect; of several, the one seen last. */
  private Optional<FaultState> worst() {
    return faultStates.stream()
        .filter(entry -> entry.lasts)
        .reduce((worst, next) -> next.effect.compareTo(worst.effect) >= 0 ? next : worst);
  }

  private void write(FaultState entry, String again) {
    LogQueue.warn(LOG, "{}: {}{}: {}", path, again, entry.effect.begin, entry.advice());
    entry.unlogged = 0;
    entry.isLogged = true;
  }

  /** Logs that an effect has ended, if its beginning was logged. */
  synchronized void ended(Effect effect) {
    faultStates.stream()
        .filter(entry -> entry.effect == effect && entry.lasts && entry.isLogged)
        .min(Comparator.comparingLong(entry -> entry.beganNanos))
        .ifPresent(
            first ->
                LogQueue.info(
                    LOG, "{}: {}, after {}", path, effect.end, first.period(nanoTime.getAsLong())));
    for (FaultState entry : faultStates) {
      if (entry.effect == effect) {
        entry.lasts = false;
        entry.isLogged = false;
      }
    }
  }
}
