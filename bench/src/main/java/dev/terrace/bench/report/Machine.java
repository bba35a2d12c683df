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
package dev.terrace.bench.report;

import dev.terrace.bench.ProductVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.VersionInfo;

/** The machine and the software that figures were measured on. */
public final class Machine {

  private static final double BUSY_SHARE_OF_CORES = 0.3;

  private final Path procDirectory;

  /** This machine. */
  public Machine() {
    this(Path.of("/proc"));
  }

  Machine(Path procDirectory) {
    this.procDirectory = procDirectory;
  }

  /** All that is known, under short names, in an order that reads well. */
  public Map<String, Object> describe() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("cpu", field("cpuinfo", "model name"));
    facts.put("cores", Runtime.getRuntime().availableProcessors());
    facts.put("memory", memory());
    facts.put("os", property("os.name") + " " + property("os.version"));
    facts.put("arch", property("os.arch"));
    facts.put("java", property("java.vm.version") + " (" + property("java.vm.vendor") + ")");
    facts.put("hbase", VersionInfo.getVersion());
    facts.put("terrace", terrace());
    facts.put("loadAverage", loadAverage());
    return facts;
  }

  /**
   * A warning if others keep the machine busy, which makes figures low and uneven; empty if not.
   */
  public Optional<String> busyWarning() {
    double load = loadAverage();
    int cores = Runtime.getRuntime().availableProcessors();
    return load < BUSY_SHARE_OF_CORES * cores
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "Others are using this machine (load average %.1f on %d cores): figures will be low"
                    + " and uneven.",
                load,
                cores));
  }

  /** The processes that wanted to run, over the last minute; negative where it is not known. */
  private static double loadAverage() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /** One line for people. */
  public String oneLine() {
    Map<String, Object> facts = describe();
    return String.format(
        Locale.ROOT,
        "%s, %s cores, %s of memory, %s %s, Java %s, HBase %s",
        facts.get("cpu"),
        facts.get("cores"),
        facts.get("memory"),
        facts.get("os"),
        facts.get("arch"),
        facts.get("java"),
        facts.get("hbase"));
  }

  private static String terrace() {
    try {
      return ProductVersion.number();
    } catch (IOException e) {
      return "unknown";
    }
  }

  private String memory() {
    String total = field("meminfo", "MemTotal");
    if (!total.endsWith(" kB")) {
      return total;
    }
    long kibibytes = Long.parseLong(total.substring(0, total.length() - " kB".length()));
    return Math.round(kibibytes / (1024.0 * 1024.0)) + " GiB";
  }

  /** The first value of a name in a file of {@code name: value} lines. */
  private String field(String file, String name) {
    try (Stream<String> lines = Files.lines(procDirectory.resolve(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse("unknown");
    } catch (IOException | UncheckedIOException e) {
      return "unknown";
    }
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
