// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import com.sun.security.auth.module.UnixSystem;
import dev.terrace.hbase.preflight.EntryKeys;
import dev.terrace.hbase.preflight.StartChecks;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.Finding.Severity;
import dev.terrace.hbase.settings.Findings;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TerraceSettings.DeviceEncryption;
import dev.terrace.hbase.settings.TerraceSettings.TierSpace;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.format.Superblock.DeviceKind;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * The program that {@code bin/hbase} runs for {@code doctor}, with the environment, the class path
 * and the configuration of a region server. Prints what it finds.
 */
public final class Doctor {

  /**
   * The exit values: nothing found, then the worst of the severities. A JVM that fails exits with
   * 1, so no gate may take that for a verdict.
   */
  public static final int WELL = 0;

  private static final int ERROR = 2;

  /** The largest exit value: that of the mildest severity. */
  public static final int WARNING = ERROR + Severity.WARNING.ordinal();

  /** Added to the exit value, because failing shells and JVMs also exit with small values. */
  public static final int DONE = 100;

  private static final int FIRST_JAVA_WITHOUT_HADOOP_2 = 24;
  private static final int FIRST_JAVA_THAT_WARNS_OF_NATIVE_ACCESS = 24;
  private static final String BALANCER = "hbase.master.loadbalancer.class";
  private static final String PERSISTENT_PATH = "hbase.bucketcache.persistent.path";

  private final SiteValues site;
  private final StartChecks checks;
  private final TerraceSettings settings;
  private final Map<String, String> facts;
  private final Findings findings = new Findings();

  /**
   * Runs the checks.
   *
   * @param arguments the configuration folder, then the class path entries that a region server
   *     does not have
   */
  public static void main(String[] arguments) throws IOException {
    List<String> tools = List.of(arguments).subList(1, arguments.length);
    try (PrintWriter out =
            new PrintWriter(
                new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        ServerClasses classes = new ServerClasses(System.getProperty("java.class.path"), tools)) {
      setProperties(System.getenv());
      ServerJvm jvm =
          ServerJvm.of(System.getenv(), ManagementFactory.getRuntimeMXBean().getInputArguments());
      int value = examine(HBaseConfiguration::create, Path.of(arguments[0]), jvm, classes, out);
      out.flush();
      System.exit(DONE + value);
    }
  }

  /** The configuration may refer to variables that a region server has as {@code -D} options. */
  static void setProperties(Map<String, String> environment) {
    for (String option : ServerJvm.serverOptions(environment)) {
      if (option.startsWith("-D")) {
        String[] parts = option.substring(2).split("=", 2);
        System.setProperty(parts[0], parts.length == 1 ? "" : parts[1]);
      }
    }
  }

  /** Examines a folder's configuration, prints what it finds, and returns the exit value. */
  static int examine(
      Supplier<Configuration> read,
      Path folder,
      ServerJvm jvm,
      ServerClasses classes,
      PrintWriter out)
      throws IOException {
    Configuration conf;
    try {
      conf = read.get();
    } catch (RuntimeException e) {
      return unreadable(folder, e.getCause() == null ? e : e.getCause(), out);
    }
    Doctor doctor;
    try {
      doctor = new Doctor(conf, folder, jvm, classes);
    } catch (IllegalStateException e) {
      // A value in the configuration refers to itself.
      return unreadable(folder, e, out);
    }
    doctor.print(out);
    // The worst findings are the first.
    return doctor.findings.stream()
        .mapToInt(finding -> ERROR + finding.severity().ordinal())
        .findFirst()
        .orElse(WELL);
  }

  private static int unreadable(Path folder, Throwable cause, PrintWriter out) {
    String reason = String.valueOf(cause.getMessage()).replaceAll("\\s*\\n\\s*", " ");
    out.println("the configuration in " + folder + " cannot be read: " + reason);
    return ERROR;
  }

  /** Runs the checks of a start, and of what a running server cannot see. */
  private Doctor(Configuration conf, Path folder, ServerJvm jvm, ServerClasses classes)
      throws IOException {
    site = new SiteValues(conf);
    checks = new StartChecks(site, jvm.process());
    settings = checks.settings();
    facts = new StartFacts(site, checks, jvm.process(), folder).byName();
    findings.addAll(checks.errors());
    findings.addAll(jvm.refusal());
    classes.check(site, findings);
    checkUser(new UnixSystem().getUsername(), findings);
    checkHadoop();
    if (settings.hasLastingTier() && !jvm.nativeAccess()) {
      warnOfNativeAccess(Runtime.version().feature(), findings);
    }
    checkEntryPoint();
    checkBalancer();
    checkEncryption();
    checkPaths(folder);
    findings.addAll(checks.warnings());
    findings.sort(Comparator.comparing(Finding::severity));
  }

  /**
   * Checks for what would make Hadoop's login fail.
   *
   * @param name the user's name; null if the system has none for the user's id
   */
  static void checkUser(String name, Findings findings) throws IOException {
    if (name == null) {
      findings.error("nameless-user", Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }
  }

  private void checkHadoop() {
    String hadoop = org.apache.hadoop.util.VersionInfo.getVersion();
    int java = Runtime.version().feature();
    if (hadoop.startsWith("2.") && java >= FIRST_JAVA_WITHOUT_HADOOP_2) {
      findings.error("hadoop-2", java, hadoop, FIRST_JAVA_WITHOUT_HADOOP_2);
    }
  }

  static void warnOfNativeAccess(int java, Findings findings) {
    if (java >= FIRST_JAVA_THAT_WARNS_OF_NATIVE_ACCESS) {
      findings.warning("native-access", java);
    }
  }

  private void checkEntryPoint() {
    List<String> entries = EntryKeys.of(site);
    if (entries.equals(List.of(EntryKeys.EXTERNAL_CACHE)) && !EntryKeys.isExternal(site)) {
      boolean isUsed = site.isTrue(EntryKeys.USE_EXTERNAL);
      findings.warning(isUsed ? "no-heap-cache" : "no-external-cache");
    } else if (entries.isEmpty() && findings.stream().noneMatch(Finding::isError)) {
      findings.warning("no-entry-point");
    }
  }

  private void checkBalancer() {
    String balancer = site.get(BALANCER, "");
    if (balancer.endsWith("CacheAwareLoadBalancer") && site.get(PERSISTENT_PATH).isEmpty()) {
      findings.warning("balancer", balancer);
    }
  }

  /** The server asks its key provider for the master key; doctor does not. */
  private void checkEncryption() {
    DeviceEncryption encryption = settings.get(TerraceSettings.ENCRYPTION);
    Optional<String> provider = site.get("hbase.crypto.keyprovider");
    if (encryption != DeviceEncryption.NONE && settings.hasLastingTier() && provider.isPresent()) {
      String setting = TerraceSettings.ENCRYPTION.with(encryption);
      findings.add(Severity.QUESTION, "master-key", setting, provider.get());
    }
  }

  private void checkPaths(Path folder) {
    String contents = settings.pathContents(site);
    for (DeviceKind kind : DeviceKind.values()) {
      TierSpace space = kind == DeviceKind.PMEM ? settings.pmem() : settings.ssd();
      for (Path path : space.paths()) {
        if (checks.paths().isSilent(path)) {
          continue;
        }
        checkHolder(path, folder);
        try {
          ReadOnlyDevice.whyDiscarded(
                  space.split().withContents(contents, Optional.empty()).spec(path, kind))
              .ifPresent(why -> findings.warning("discarded-path", path, why));
        } catch (IOException e) {
          // PathCheck reports it.
        }
      }
    }
  }

  /** A process that has the path open may be the server to be restarted. */
  private void checkHolder(Path path, Path folder) {
    PathHolder.of(path)
        .filter(holder -> !holder.runsWith(folder))
        .ifPresent(holder -> findings.add(Severity.QUESTION, "path-in-use", path, holder));
  }

  private void print(PrintWriter out) {
    facts.forEach((name, fact) -> out.printf(Locale.ROOT, "%-14s %s%n", name, fact));
    for (Finding finding : findings) {
      out.println();
      out.printf(Locale.ROOT, "%-9s%s%n", finding.severity(), finding.what());
      out.printf(Locale.ROOT, "%-9s%s%n", "  why", finding.why());
      out.printf(Locale.ROOT, "%-9s%s%n", "  do", finding.remedy());
    }
    out.println();
    out.println(summary());
  }

  private String summary() {
    long errors = count(Severity.ERROR);
    long out = count(Severity.OUT);
    long questions = count(Severity.QUESTION);
    return counted(errors, "error")
        + ", "
        + (out == 0 ? "" : counted(out, "path") + " out, ")
        + (questions == 0 ? "" : counted(questions, "question") + ", ")
        + counted(count(Severity.WARNING), "warning")
        + ": the region server would "
        + (errors > 0
            ? "not start" + (needsTerrace() ? "" : ", or start without Terrace")
            : "start"
                + (questions == 0 ? "" : ", if the questions are answered")
                + (count(Severity.KILLED) == 0 ? "" : ", and be killed once it takes its memory"));
  }

  private long count(Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }

  /** Whether the server does not start if Terrace does not. */
  boolean needsTerrace() {
    return site.get(EntryKeys.REGION_SERVER_CLASS).isPresent()
        || EntryKeys.of(site).contains(EntryKeys.COPROCESSOR);
  }

  private static String counted(long number, String noun) {
    return (number == 0 ? "no" : Long.toString(number)) + " " + noun + (number == 1 ? "" : "s");
  }
}
