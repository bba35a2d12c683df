// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import dev.terrace.hbase.preflight.ServerProcess;
import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.Findings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * The options of a region server's JVM, as far as Terrace depends on them.
 *
 * @param process its memory on this machine; unknown if it does not start
 * @param nativeAccess whether an option enables native access, which later versions of Java deny
 * @param refusal why it does not start; empty if it does
 */
record ServerJvm(ServerProcess process, boolean nativeAccess, Findings refusal) {

  /** The options that {@code bin/hbase} adds for a region server, in its order. */
  private static final List<String> SERVER_OPTIONS =
      List.of("SERVER_GC_OPTS", "HBASE_REGIONSERVER_OPTS");

  /** The options that it adds for other commands, such as this process. */
  private static final String CLIENT_OPTIONS = "CLIENT_GC_OPTS";

  /** Options that are safe for a trial start of a JVM: they write, open and start nothing. */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "-Xm[sx].+|-XX:(InitialHeapSize|MaxHeapSize|MaxDirectMemorySize|MaxRAMPercentage"
              + "|MaxMetaspaceSize|ReservedCodeCacheSize)=.+"
              + "|-XX:[+-](?!\\w*(PreTouch|Pages|Log|Print|Dump|Record|Start|Save|CDS|Archive))\\w+"
              + "|-XX:(?!\\w*(Size|Heap|Memory|RAM|Limit))\\w+=\\d+");

  /** Lines of output that do not tell why the JVM did not start. */
  private static final Pattern NO_REASON = Pattern.compile("Error:? .*|.* warning: .*");

  /** The options that the variables add to the command of a region server. */
  static List<String> serverOptions(Map<String, String> environment) {
    return SERVER_OPTIONS.stream().flatMap(name -> words(environment, name)).toList();
  }

  private static Stream<String> words(Map<String, String> environment, String name) {
    return Arrays.stream(environment.getOrDefault(name, "").strip().split("\\s+", -1))
        .filter(word -> !word.isEmpty());
  }

  /**
   * Starts a JVM of the same Java to learn what a region server's options result in.
   *
   * @param environment the variables that {@code bin/hbase} has exported to this process
   * @param own the options of this process: heap, direct memory and HBASE_OPTS, which a region
   *     server gets, too
   */
  static ServerJvm of(Map<String, String> environment, List<String> own) throws IOException {
    List<String> options = new ArrayList<>(own);
    options.removeAll(words(environment, CLIENT_OPTIONS).toList());
    options.addAll(serverOptions(environment));
    boolean nativeAccess =
        options.stream().anyMatch(option -> option.startsWith("--enable-native-access"));
    options.removeIf(HARMLESS.asMatchPredicate().negate());
    List<String> command = new ArrayList<>(options);
    command.add(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+PrintFlagsFinal", "-version"));
    ProcessBuilder java = new ProcessBuilder(command).redirectErrorStream(true);
    java.environment().keySet().removeIf(name -> name.endsWith("_OPTIONS"));
    String output =
        new String(java.start().getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    Findings refusal = new Findings();
    long heapBytes = Long.MAX_VALUE;
    long directBytes = Long.MAX_VALUE;
    long nativeBytes = 0;
    if (flag("MaxHeapSize", output).isEmpty()) {
      String reason =
          output
              .lines()
              .filter(line -> !NO_REASON.matcher(line).matches())
              .findFirst()
              .orElse(output.strip());
      refusal.error("jvm-options", reason);
    } else {
      heapBytes = Long.parseLong(flag("MaxHeapSize", output));
      long limitBytes = Long.parseLong(flag("MaxDirectMemorySize", output));
      directBytes = limitBytes == 0 ? heapBytes : limitBytes;
      nativeBytes = ServerProcess.nativeBytes(heapBytes, name -> flag(name, output));
    }
    ServerProcess process =
        new ServerProcess(
            heapBytes,
            directBytes,
            nativeBytes,
            ServerProcess.machineBytes(),
            VersionInfo.getVersion());
    return new ServerJvm(process, nativeAccess, refusal);
  }

  /** The value of a flag that the JVM printed; an empty text if it did not. */
  private static String flag(String name, String output) {
    Matcher printed = Pattern.compile("\\b" + name + "\\s*=\\s*(\\w+)").matcher(output);
    return printed.find() ? printed.group(1) : "";
  }

  static String text(long bytes) {
    return bytes == Long.MAX_VALUE ? "unknown" : ByteSize.readable(bytes);
  }
}
