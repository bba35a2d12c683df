// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.checks;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.terrace.hbase.settings.Finding;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.hbase.settings.TextTable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * The file descriptors of a process.
 *
 * @param open how many are in use
 * @param most its limit
 */
public record Descriptors(long open, long most) {

  /** With fewer left a path may not open. Some that were opened for it are closed again. */
  private static final int FEW = 64;

  /** HBase's manual wants so many. */
  private static final long ENOUGH = 10_240;

  /** What a region server has open once it has started: jars, sockets, logs. */
  private static final int OF_A_START = 500;

  /** Files of a path that is in use. */
  private static final int OF_A_PATH = 10;

  private static final String HOW_TO_RAISE = "ulimit -n, LimitNOFILE of a systemd unit";

  /** Those of this process; no limit where that is not known. */
  public static Descriptors ofThisProcess() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      long most = system.getMaxFileDescriptorCount();
      try {
        return new Descriptors(system.getOpenFileDescriptorCount(), most);
      } catch (InternalError e) {
        // Counting them takes one.
        return new Descriptors(most, most);
      }
    }
    return new Descriptors(0, Long.MAX_VALUE);
  }

  /** Whether a path may not open for want of descriptors. */
  public boolean areFew() {
    return most - open < FEW;
  }

  /** What failed, and if few descriptors are left, that and how to have more. */
  public String explain(IOException failure) {
    String what = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return !areFew()
        ? what
        : what
            + "; this process has "
            + open
            + " of at most "
            + most
            + " files open: raise that limit ("
            + HOW_TO_RAISE
            + ")";
  }

  /** Warns of a low limit. The JVM has raised it to the hard one. */
  List<Finding> findings(TerraceSettings settings) {
    int paths = settings.pmem().paths().size() + settings.ssd().paths().size();
    return most >= ENOUGH
        ? List.of()
        : List.of(
            Finding.warning(
                "this process may open " + TextTable.count(most) + " files",
                "A region server has some "
                    + TextTable.count(OF_A_START + (long) paths * OF_A_PATH)
                    + " open at its start, and one or more for each store file and connection"
                    + " later. With none left it fails.",
                "raise the limit to at least " + ENOUGH + " (" + HOW_TO_RAISE + ")"));
  }
}
