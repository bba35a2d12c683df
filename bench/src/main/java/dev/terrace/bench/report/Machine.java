// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.report;

import com.sun.management.OperatingSystemMXBean;
import dev.terrace.hbase.status.TerraceStatus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Version;

/** The machine and the software that were measured. */
public record Machine(Path cpuinfo) {

  private static final double BUSY_SHARE_OF_CORES = 0.3;
  private static final String UNKNOWN = "unknown";
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  public Machine() {
    this(Path.of("/proc/cpuinfo"));
  }

  /** The known facts under short names, in display order. */
  public Map<String, Object> describe() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("cpu", cpu());
    facts.put("cores", SYSTEM.getAvailableProcessors());
    facts.put("memory", Math.round(SYSTEM.getTotalMemorySize() / (double) (1 << 30)) + " GiB");
    facts.put("os", SYSTEM.getName() + " " + SYSTEM.getVersion());
    facts.put("arch", SYSTEM.getArch());
    String vendor = System.getProperty("java.vm.vendor");
    facts.put("java", System.getProperty("java.vm.version") + " (" + vendor + ")");
    // VersionInfo would create a logger before the log has its destination.
    facts.put("hbase", Version.version);
    facts.put("terrace", TerraceStatus.version());
    facts.put("loadAverage", SYSTEM.getSystemLoadAverage());
    return facts;
  }

  public Optional<String> busyWarning() {
    double load = SYSTEM.getSystemLoadAverage();
    int cores = SYSTEM.getAvailableProcessors();
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

  public String oneLine() {
    Map<String, Object> facts = describe();
    return String.format(
        Locale.ROOT,
        "%s, %s cores, %s of memory, %s %s, Java %s, HBase %s",
        Stream.of("cpu", "cores", "memory", "os", "arch", "java", "hbase")
            .map(facts::get)
            .toArray());
  }

  private String cpu() {
    try {
      return Files.readAllLines(cpuinfo).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }
}
