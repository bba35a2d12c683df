// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import dev.terrace.api.Tier;
import dev.terrace.dram.DramConfig;
import dev.terrace.hbase.preflight.StartChecks;
import dev.terrace.region.RegionConfig;
import dev.terrace.tools.doctor.Doctor;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code doctor}: checks before a restart whether a region server would start, and run well. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Checks a region server's configuration before a restart: settings, memory, directories and"
          + " their file systems, HBase's own settings, versions. Changes nothing. Runs through"
          + " bin/hbase, which reads hbase-env.sh as for every command."
    },
    footerHeading = "%n",
    footer = {
      "Run it on the region server's machine, as its user, with its environment. The exit value is"
          + " that of the worst finding: 0, none; 2, the region server would not start, bin/hbase"
          + " does not run, or an option is wrong; 3, the operating system would kill the region"
          + " server at startup, because it takes too much memory; 4, it would start without a path;"
          + " 5, questions for you; 6, warnings. Any other value, such as 1: doctor itself failed."
    })
public final class DoctorCommand extends ToolCommand {

  /** A class from each jar that the checks need, unless all are in one jar. */
  private static final List<Class<?>> NEEDED =
      List.of(
          Doctor.class,
          StartChecks.class,
          DramConfig.class,
          RegionConfig.class,
          Tier.class,
          com.sun.jna.Native.class);

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      required = true,
      description = "The folder with hbase-site.xml and hbase-env.sh.")
  private Path conf;

  @Option(
      names = "--hbase",
      paramLabel = "DIR",
      description =
          "HBase's folder, with bin/hbase in it (default: HBASE_HOME, or the folder above that of"
              + " --conf).")
  private Path hbase;

  @Override
  int run(PrintWriter out) throws InterruptedException {
    Path folder = conf.toAbsolutePath().normalize();
    Path launcher = home(folder).resolve("bin").resolve("hbase");
    if (!Files.exists(folder.resolve("hbase-site.xml"))) {
      return complain(
          folder
              + (Files.isDirectory(folder)
                  ? " has no hbase-site.xml"
                  : Files.notExists(folder) ? " does not exist" : " cannot be accessed"));
    }
    if (!Files.isExecutable(launcher)) {
      return complain("there is no " + launcher + ": name HBase's folder with --hbase");
    }
    try {
      Path errors = Files.createTempFile("terrace-doctor", ".txt");
      try {
        int value = examine(launcher, folder, errors.toFile(), out) - Doctor.DONE;
        return value >= Doctor.WELL && value <= Doctor.WARNING
            ? value
            : complain(
                launcher
                    + " ended before the checks, so it would not start the region server either:\n"
                    + Files.readString(errors, StandardCharsets.ISO_8859_1).strip());
      } finally {
        Files.delete(errors);
      }
    } catch (IOException | URISyntaxException e) {
      return complain(launcher + " cannot be run: " + e);
    }
  }

  private Path home(Path folder) {
    if (hbase != null) {
      return hbase.toAbsolutePath().normalize();
    }
    String named = System.getenv("HBASE_HOME");
    return named == null ? folder.resolveSibling("") : Path.of(named);
  }

  /** HBase's own messages matter only if the checks do not run. */
  private int examine(Path launcher, Path folder, File errors, PrintWriter out)
      throws IOException, URISyntaxException, InterruptedException {
    Set<String> tools = new LinkedHashSet<>();
    for (Class<?> each : NEEDED) {
      tools.add(
          Path.of(each.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                launcher.toString(),
                "--config",
                folder.toString(),
                Doctor.class.getName(),
                folder.toString()));
    command.addAll(tools);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectInput(new File("/dev/null")).redirectError(errors);
    builder.environment().put("HBASE_HOME", launcher.getParent().getParent().toString());
    builder.environment().put("HBASE_ROOT_LOGGER", "ERROR,console");
    builder
        .environment()
        .merge(
            "HBASE_CLASSPATH_PREFIX",
            String.join(File.pathSeparator, tools),
            (before, own) -> own + File.pathSeparator + before);
    Process process = builder.start();
    try (Reader printed = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
      printed.transferTo(out);
    }
    out.flush();
    return process.waitFor();
  }
}
