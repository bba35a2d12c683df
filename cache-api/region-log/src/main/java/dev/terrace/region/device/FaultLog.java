// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import dev.terrace.api.RateLimitedLog;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the faults of one device: one line when a fault begins, reminders ever more rarely, and one
 * line when it ends. Stack traces are for DEBUG alone. Thread-safe.
 */
final class FaultLog {

  /*
   * An intermittent fault is logged no more often than a persistent one: its backoff state is kept
   * until the fault has been quiet for a full interval. The end is logged only if the start was.
   */

  /** What a fault does, from the least to the worst. */
  enum Effect {
    NOTE("a note for the next start failed", ""),
    READ("a read failed, which is a miss", ""),
    WRITE("a write failed, and is tried again", ""),
    FULL("nothing is written until a whole region can be, reads go on", "has space again"),
    READ_ONLY("nothing is written until that works again, reads go on", "is written to again"),
    OUT(
        "taken out of service, its blocks are misses until it works again",
        "works again and is back in service");

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

  private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);

  private record Key(Effect effect, DeviceFault fault) {

    /** Whether the same fault has an effect that lasts, and needs no lines on single failures. */
    boolean isWorse(DeviceFault failure) {
      return fault == failure && effect.lasts();
    }
  }

  /** What was told of a fault. */
  private static final class Course {
    final RateLimitedLog.Pace pace;
    long beganNanos;
    long untold;
    boolean lasts;
    boolean isTold;
    String details;

    Course(long now) {
      this.pace = new RateLimitedLog.Pace(now);
    }
  }

  private final String path;
  private final LongSupplier nanoTime;
  private final Map<Key, Course> courses = new HashMap<>();

  /** Nothing is told yet. */
  FaultLog(String path, LongSupplier nanoTime) {
    this.path = path;
    this.nanoTime = nanoTime;
  }

  /**
   * Tells of a fault that began, or came again.
   *
   * @param details more about it; empty for none
   * @param cause for DEBUG; null if there is none
   */
  synchronized void tell(Effect effect, DeviceFault fault, String details, Throwable cause) {
    LOG.debug("{}: {} {} {}", path, effect, fault, details, cause);
    long now = nanoTime.getAsLong();
    courses.values().removeIf(course -> !course.lasts && course.pace.isRested(now));
    if (!effect.lasts() && courses.keySet().stream().anyMatch(key -> key.isWorse(fault))) {
      return;
    }
    Key key = new Key(effect, fault);
    boolean isNew = !courses.containsKey(key);
    Course course = courses.computeIfAbsent(key, k -> new Course(now));
    if (!course.lasts) {
      course.lasts = effect.lasts();
      course.beganNanos = now;
    }
    course.details = details;
    course.untold++;
    if (course.pace.takesTurn(now)) {
      write(key, course, isNew ? "" : course.untold + " more times: ");
    }
  }

  /** Reminds of the worst fault that lasts, if it is time to. Call it about once a second. */
  synchronized void look() {
    long now = nanoTime.getAsLong();
    courses.entrySet().stream()
        .filter(each -> each.getValue().lasts)
        .max(Comparator.comparing(each -> each.getKey().effect))
        .filter(worst -> worst.getValue().pace.takesTurn(now))
        .ifPresent(
            worst ->
                write(
                    worst.getKey(),
                    worst.getValue(),
                    "for " + period(worst.getValue(), now) + " now: "));
  }

  private void write(Key key, Course course, String again) {
    LOG.warn("{}: {}{}: {}", path, again, key.effect.begin, key.fault.advice(course.details));
    course.untold = 0;
    course.isTold = true;
  }

  /** Tells that what lasted has ended, if its beginning was told. */
  synchronized void ended(Effect effect) {
    List<Course> ending =
        courses.entrySet().stream()
            .filter(each -> each.getKey().effect == effect && each.getValue().lasts)
            .map(Map.Entry::getValue)
            .toList();
    ending.stream()
        .filter(course -> course.isTold)
        .min(Comparator.comparingLong(course -> course.beganNanos))
        .ifPresent(
            first ->
                LOG.info(
                    "{}: {}, after {}", path, effect.end, period(first, nanoTime.getAsLong())));
    for (Course course : ending) {
      course.lasts = false;
      course.isTold = false;
    }
  }

  private static String period(Course course, long now) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(now - course.beganNanos);
    return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
  }
}
