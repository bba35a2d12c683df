// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import com.sun.jna.LastErrorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The nodes of this machine's memory: sockets, as a rule. What one thread touches first lies on its
 * own node, so memory that all threads read is spread over all nodes. Nodes without processors,
 * such as memory on CXL, and those that the process may not use do not count. Thread-safe.
 */
public final class MemoryNodes {

  private static final Path NODES = Path.of("/sys/devices/system/node");
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Pattern RANGE = Pattern.compile("(\\d+)(?:-(\\d+))?");
  private static final String ALLOWED = "Mems_allowed_list:";

  private final long nodes;
  private final Optional<LibC> libC;

  /**
   * Some nodes.
   *
   * @param nodes a bit for each
   * @param libC sets where memory lies, if it can be reached
   */
  MemoryNodes(long nodes, Optional<LibC> libC) {
    this.nodes = nodes;
    this.libC = libC;
  }

  /** Those that this process may use. */
  public static MemoryNodes ofThisProcess() {
    return Found.NODES_OF_PROCESS;
  }

  /** Looked for once, at the first use. */
  private static final class Found {

    static final MemoryNodes NODES_OF_PROCESS = new MemoryNodes(find(), LibC.load());

    private static long find() {
      try {
        long allowed =
            Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith(ALLOWED))
                .mapToLong(line -> bits(line.substring(ALLOWED.length())))
                .findFirst()
                .orElse(0);
        return allowed
            & bits(Files.readString(NODES.resolve("has_memory")))
            & bits(Files.readString(NODES.resolve("has_cpu")));
      } catch (IOException | NumberFormatException e) {
        // As on a kernel without nodes. The doctor, which asks too, has no log.
        return 0;
      }
    }
  }

  /** The bits of a list of the kernel, such as {@code 0-1,4}; numbers above 63 are left out. */
  static long bits(String list) {
    long bits = 0;
    for (Matcher range = RANGE.matcher(list); range.find(); ) {
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      for (int node = first; node <= Math.min(last, Long.SIZE - 1); node++) {
        bits |= 1L << node;
      }
    }
    return bits;
  }

  private boolean areSeveral() {
    return Long.bitCount(nodes) > 1;
  }

  /**
   * Runs what touches memory first, so that its pages lie on all nodes in turns. Where there is one
   * node, or the process was started with a policy ({@code numactl}), it just runs.
   */
  public <T> T spread(Supplier<T> touching) {
    if (!areSeveral() || !beginSpreading()) {
      return touching.get();
    }
    try {
      return touching.get();
    } finally {
      libC.orElseThrow().interleave(0);
    }
  }

  /** The same without a result. */
  public void spread(Runnable touching) {
    spread(
        () -> {
          touching.run();
          return null;
        });
  }

  private boolean beginSpreading() {
    if (obstacle().isPresent()) {
      return false;
    }
    try {
      libC.orElseThrow().interleave(nodes);
      return true;
    } catch (LastErrorException e) {
      // Nodes may have been taken from the process. Its memory lies where it would without this.
      return false;
    }
  }

  /** Why this thread's memory cannot be spread. */
  private Optional<String> obstacle() {
    try {
      return libC.isEmpty()
          ? Optional.of("JNA cannot load its library")
          : libC.get().hasDefaultMemoryPolicy()
              ? Optional.empty()
              : Optional.of("the process was started with a policy, as by numactl");
    } catch (LastErrorException e) {
      return Optional.of(
          "the kernel refuses set_mempolicy (errno="
              + e.getErrorCode()
              + "), as in a container without CAP_SYS_NICE");
    }
  }

  /** How many there are, and whether memory is spread over them. */
  @Override
  public String toString() {
    return !areSeveral()
        ? "one node of memory"
        : Long.bitCount(nodes)
            + " nodes of memory, "
            + obstacle()
                .map(why -> "over which Terrace spreads nothing: " + why)
                .orElse("over which DRAM, indexes and new files on a tmpfs are spread");
  }
}
