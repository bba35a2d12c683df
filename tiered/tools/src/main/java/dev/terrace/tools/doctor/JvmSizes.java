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
package dev.terrace.tools.doctor;

import dev.terrace.hbase.settings.ByteSize;
import dev.terrace.hbase.settings.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The heap, the direct memory and the system properties that {@code bin/hbase} gives a region
 * server: by HBASE_HEAPSIZE and HBASE_OFFHEAPSIZE, then by options in other variables, the last of
 * which wins.
 */
final class JvmSizes {

  private static final String HEAP = "HBASE_HEAPSIZE";
  private static final String DIRECT = "HBASE_OFFHEAPSIZE";
  private static final List<String> OPTIONS =
      List.of("HBASE_OPTS", "SERVER_GC_OPTS", "HBASE_REGIONSERVER_OPTS");
  private static final String MAX_DIRECT = "-XX:MaxDirectMemorySize=";
  private static final String MAX_HEAP = "-XX:MaxHeapSize=";
  private static final String XMX = "-Xmx";
  private static final String XMS = "-Xms";
  private static final String RAM_SHARE = "-XX:MaxRAMPercentage=";

  /** A size that the doctor cannot tell. */
  private static final long UNKNOWN = Long.MAX_VALUE;

  /** Bytes, and the variable or rule that they come from. */
  record Size(long bytes, String origin) {
    @Override
    public String toString() {
      return (bytes == UNKNOWN ? "unknown" : ByteSize.readable(bytes)) + " (" + origin + ")";
    }
  }

  private final List<Finding> findings = new ArrayList<>();
  private final List<String> options = new ArrayList<>();
  private final Map<String, String> systemProperties = new HashMap<>();
  private Size heap;
  private Size direct = new Size(0, "");
  private Size initialHeap = new Size(0, "");
  private boolean heapIsSet;

  /** The sizes that a script asks for, on a machine with some memory. */
  JvmSizes(EnvScript script, long memoryBytes) {
    if (!script.isKnown()) {
      heap = new Size(UNKNOWN, "hbase-env.sh was not run");
      direct = heap;
      return;
    }
    heap = new Size(memoryBytes / 4, "a quarter of the machine's memory, as nothing sets it");
    script.get(HEAP).ifPresent(value -> setHeap(variable(HEAP, value)));
    script.get(DIRECT).ifPresent(value -> direct = variable(DIRECT, value));
    for (String variable : OPTIONS) {
      for (String option : script.get(variable).orElse("").split("\\s+", -1)) {
        read(variable, option, memoryBytes);
      }
    }
    if (initialHeap.bytes() > heap.bytes() && initialHeap.bytes() != UNKNOWN) {
      findings.add(
          Finding.error(
              XMS + " is more than the heap of " + heap,
              "The JVM does not start with it.",
              "make it smaller, or the heap larger"));
    }
    if (direct.bytes() == 0) {
      direct = new Size(heap.bytes(), "as the heap, as nothing sets it");
    }
  }

  /** As {@code bin/hbase}: the first word, and a number without m or g is one of megabytes. */
  private Size variable(String name, String value) {
    String word = value.split("\\s", 2)[0];
    boolean hasUnit = "mMgG".indexOf(word.charAt(word.length() - 1)) >= 0;
    return size(name, name + "=" + value, hasUnit ? word : word + "m");
  }

  private void read(String variable, String option, long memoryBytes) {
    options.add(option);
    if (option.startsWith("-D")) {
      String[] parts = option.substring(2).split("=", 2);
      systemProperties.put(parts[0], parts.length == 1 ? "" : parts[1]);
    }
    for (String heapOption : List.of(XMX, MAX_HEAP)) {
      if (option.startsWith(heapOption)) {
        setHeap(size(variable, option, option.substring(heapOption.length())));
      }
    }
    if (option.startsWith(XMS)) {
      initialHeap = size(variable, option, option.substring(XMS.length()));
    }
    if (option.startsWith(MAX_DIRECT)) {
      direct = size(variable, option, option.substring(MAX_DIRECT.length()));
    }
    if (!heapIsSet
        && option.startsWith(RAM_SHARE)
        && option.substring(RAM_SHARE.length()).matches("[0-9.]+")) {
      double percent = Double.parseDouble(option.substring(RAM_SHARE.length()));
      heap = new Size((long) (memoryBytes * percent / 100), option + " in " + variable);
    }
  }

  private void setHeap(Size size) {
    heap = size;
    heapIsSet = true;
  }

  private Size size(String variable, String written, String value) {
    String origin = variable + " in hbase-env.sh";
    try {
      long bytes = ByteSize.parse(value);
      if (bytes >= 0) {
        return new Size(bytes, origin);
      }
    } catch (NumberFormatException e) {
      // Reported below, with the variable.
    }
    findings.add(
        Finding.error(
            written + " is not a size",
            "The JVM does not start with it.",
            "write a number with m or g, such as 11g"));
    return new Size(UNKNOWN, origin);
  }

  Size heap() {
    return heap;
  }

  Size direct() {
    return direct;
  }

  /** All options of the JVM but those for the sizes. */
  List<String> options() {
    return List.copyOf(options);
  }

  /** Those that {@code -D} sets. */
  Map<String, String> systemProperties() {
    return Map.copyOf(systemProperties);
  }

  /** Sizes that no JVM takes. */
  List<Finding> findings() {
    return List.copyOf(findings);
  }
}
