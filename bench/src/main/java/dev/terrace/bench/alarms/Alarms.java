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
package dev.terrace.bench.alarms;

import dev.terrace.bench.fire.disk.LoopDisk;
import dev.terrace.bench.server.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.commons.io.FileUtils;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Makes one fault after the other, and measures how soon each is told, and how soon it is clear.
 */
final class Alarms {

  private static final String REMEDY = "To do:";
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration AIM = Duration.ofMinutes(1);
  private static final long LOOK_EVERY_MILLIS = 250;

  /** Where an operator looks. */
  private enum Place {
    LOG,
    METRIC,
    ALERT,
    PAGE
  }

  /** Something that is done to the server or its disk. */
  @FunctionalInterface
  private interface Act {
    void run() throws IOException;
  }

  /**
   * A fault.
   *
   * @param sign what log and page say of it, beside the path
   */
  private record Fault(String name, String sign, Act strike, Act heal) {}

  private final AlarmedServer server;
  private final List<String> only;
  private final int holdSeconds;
  private final PrintWriter out;
  private final String path;
  private boolean isRight = true;

  Alarms(AlarmedServer server, List<String> only, int holdSeconds, PrintWriter out) {
    this.server = server;
    this.only = only;
    this.holdSeconds = holdSeconds;
    this.out = out;
    this.path = server.path().toString();
  }

  /** Returns whether each fault was told everywhere, and clear again, in time. */
  boolean run() throws IOException {
    out.printf(Locale.ROOT, "%-22s%-38s%-38s%s%n", "", "told after", "clear after", "lines");
    out.printf(Locale.ROOT, "%-22s", "fault");
    for (int i = 0; i < 2; i++) {
      for (Place place : Place.values()) {
        out.printf(Locale.ROOT, "%9s", place.name().toLowerCase(Locale.ROOT));
      }
      out.print("  ");
    }
    out.println(" in the log");
    LoopDisk disk = server.disk();
    for (Fault fault :
        List.of(
            new Fault("full", "ENOSPC, ", disk::fill, disk::mend),
            new Fault("frozen", "the disk does not answer", disk::freeze, disk::mend),
            new Fault("EIO", "EIO, ", () -> disk.failBeyond(0.2), disk::mend),
            new Fault("read-only", "EROFS, ", disk::abort, () -> restartWith("noatime")),
            new Fault("deleted", "the path is not this server", this::delete, this::restart),
            new Fault(
                "out at the start",
                "the path could not be opened at the start",
                () -> restartWith("ro"),
                () -> restartWith("noatime")))) {
      if (isWanted(fault.name)) {
        measure(fault);
      }
    }
    refused("second server", "in use by", server::startSecond);
    refused("group too small", "the control group", server::startInSmallGroup);
    out.printf(Locale.ROOT, "Calls of clients that failed: %d%n", server.clientErrors());
    return isRight && server.clientErrors() == 0;
  }

  private boolean isWanted(String name) {
    return only.isEmpty() || only.contains(name);
  }

  private void delete() throws IOException {
    FileUtils.deleteDirectory(server.path().resolve("terrace").toFile());
  }

  private void restart() throws IOException {
    server.stop();
    server.start();
  }

  private void restartWith(String mountOptions) throws IOException {
    server.stop();
    server.disk().checkAndMount(mountOptions);
    server.start();
  }

  private void measure(Fault fault) throws IOException {
    long linesBefore = lines().size();
    fault.strike.run();
    long start = System.nanoTime();
    Map<Place, Duration> told = await(start, place -> isTold(place, fault, linesBefore));
    sleep(Duration.ofSeconds(holdSeconds).minusNanos(System.nanoTime() - start));
    List<String> said = since(linesBefore);
    fault.heal.run();
    long healed = linesBefore + said.size();
    Map<Place, Duration> clear = await(System.nanoTime(), place -> isClear(place, fault, healed));
    out.printf(
        Locale.ROOT,
        "%-22s%s  %s%9d%n",
        fault.name,
        row(told),
        row(clear),
        said.stream().filter(this::isOfFault).count());
    said.stream().filter(line -> isSaid(line, fault)).findFirst().ifPresent(this::quote);
    out.flush();
  }

  private void quote(String line) {
    out.printf("  %s%n", line.replaceFirst("^.*?: /", "/"));
  }

  /** Starts a server in vain. */
  @FunctionalInterface
  private interface Start {
    /** Returns its log. */
    Path inVain() throws IOException;
  }

  /** The log of a server that cannot start says why; there is nothing else to look at. */
  private void refused(String name, String sign, Start start) throws IOException {
    if (!isWanted(name)) {
      return;
    }
    Optional<String> line =
        Files.readAllLines(start.inVain()).stream().filter(each -> each.contains(sign)).findFirst();
    isRight &= line.isPresent();
    out.printf(
        Locale.ROOT,
        "%-22s%9s  the server does not start%n",
        name,
        line.isPresent() ? "at once" : "never");
    line.ifPresent(each -> out.printf("  %s%n", each));
    out.flush();
  }

  private boolean isTold(Place place, Fault fault, long linesBefore) throws IOException {
    return switch (place) {
      case LOG -> since(linesBefore).stream().anyMatch(line -> isSaid(line, fault));
      case METRIC -> isInService(0);
      case ALERT -> alerts() > 0;
      case PAGE -> {
        String page = server.page();
        yield page.contains(path) && page.contains(fault.sign) && page.contains(REMEDY);
      }
    };
  }

  private boolean isClear(Place place, Fault fault, long linesBefore) throws IOException {
    return switch (place) {
      case LOG ->
          since(linesBefore).stream()
              .anyMatch(line -> line.contains(path) && !line.contains(REMEDY));
      case METRIC -> isInService(1);
      case ALERT -> alerts() == 0;
      case PAGE -> !server.page().contains(fault.sign);
    };
  }

  private boolean isSaid(String line, Fault fault) {
    return line.contains(path) && line.contains(fault.sign) && line.contains(REMEDY);
  }

  private boolean isInService(int value) throws IOException {
    return !server
        .prometheus()
        .query("terrace_path_in_service{path=\"" + path + "\"} == " + value)
        .isEmpty();
  }

  /** Firing alerts that name the path, and an action. */
  private long alerts() throws IOException {
    return server.prometheus().alerts().stream().filter(this::isOfPath).count();
  }

  private boolean isOfPath(JsonObject alert) {
    return alert.getAsJsonObject("labels").toString().contains(path)
        && alert.getAsJsonObject("annotations").has("action");
  }

  /** A look that fails, such as at a page of a server that starts, sees nothing. */
  @FunctionalInterface
  private interface Look {
    boolean at(Place place) throws IOException;
  }

  private Map<Place, Duration> await(long start, Look look) throws IOException {
    Map<Place, Duration> found = new EnumMap<>(Place.class);
    Predicate<Duration> isLate = time -> time.compareTo(LIMIT) > 0;
    Duration passed = Duration.ZERO;
    while (found.size() < Place.values().length && !isLate.test(passed)) {
      for (Place place : Place.values()) {
        if (!found.containsKey(place) && sees(look, place)) {
          found.put(place, Duration.ofNanos(System.nanoTime() - start));
        }
      }
      sleep(Duration.ofMillis(LOOK_EVERY_MILLIS));
      passed = Duration.ofNanos(System.nanoTime() - start);
    }
    return found;
  }

  private static boolean sees(Look look, Place place) {
    try {
      return look.at(place);
    } catch (IOException e) {
      return false;
    }
  }

  private String row(Map<Place, Duration> times) {
    StringBuilder row = new StringBuilder();
    for (Place place : Place.values()) {
      Duration time = times.get(place);
      isRight &= time != null && time.compareTo(AIM) < 0;
      row.append(
          String.format(Locale.ROOT, "%9s", time == null ? "never" : time.toSeconds() + " s"));
    }
    return row.toString();
  }

  private List<String> since(long lines) throws IOException {
    List<String> all = lines();
    return all.subList((int) lines, all.size());
  }

  private List<String> lines() throws IOException {
    return new String(Files.readAllBytes(server.server().log()), StandardCharsets.UTF_8)
        .lines()
        .toList();
  }

  /** Lines that name the path, and those of Terrace's stack traces. */
  private boolean isOfFault(String line) {
    return line.contains(path) || line.startsWith("\tat dev.terrace.");
  }

  private static void sleep(Duration time) {
    long due = System.nanoTime() + Math.max(0, time.toNanos());
    Await.nanoTime(due);
  }
}
