// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.terrace.hbase.status.TerraceMXBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Set;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code trace}: records the block reads of a running region server. */
@Command(
    name = "trace",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Records the block reads of a region server on this machine, for the commands plan and"
          + " replay. The trace contains no file names and no data. Without --start or --stop, prints"
          + " the status of the recording."
    },
    footerHeading = "%n",
    footer = {
      "It attaches to the process over JMX, so it needs a JDK; run it as the region server's user."
          + " Exit value: 0; 2 if the process cannot be reached or refuses, or an option is wrong."
    })
public final class TraceCommand extends ToolCommand {

  private static final String NAMES = "dev.terrace:type=BlockCache,*";

  @Option(
      names = "--pid",
      paramLabel = "PID",
      required = true,
      description = "The region server's process, such as $(pgrep -f proc_regionserver).")
  private long pid;

  @ArgGroup private Action action = new Action();

  @Option(
      names = "--sample-one-in",
      paramLabel = "N",
      defaultValue = "1",
      description = "Records one block in N, with all accesses to it (default: ${DEFAULT-VALUE}).")
  private int oneIn;

  @Option(
      names = "--max-megabytes",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Stops at a file size of N MB (default: ${DEFAULT-VALUE}).")
  private int maxMegabytes;

  @Option(
      names = "--max-seconds",
      paramLabel = "N",
      defaultValue = "3600",
      description = "Stops after N seconds (default: ${DEFAULT-VALUE}).")
  private int maxSeconds;

  @Option(
      names = "--with-tables",
      description = "Also records table names, for the option --table of plan and replay.")
  private boolean withTables;

  /** Starts or stops a recording; without either, the command only prints the status. */
  private static final class Action {

    @Option(
        names = "--start",
        paramLabel = "FOLDER",
        description = "Starts recording to a new file in an existing folder.")
    private Path folder;

    @Option(names = "--stop", description = "Stops the recording.")
    private boolean stop;
  }

  @Override
  int run(PrintWriter out) throws IOException {
    try (JMXConnector server = Attachment.to(pid)) {
      TerraceMXBean bean = bean(server.getMBeanServerConnection());
      if (action.folder != null) {
        // The server has a working directory of its own.
        String folder = action.folder.toAbsolutePath().toString();
        bean.startTrace(folder, oneIn, maxMegabytes, maxSeconds, withTables);
      } else if (action.stop) {
        bean.stopTrace();
      }
      out.println(bean.getTrace());
      return 0;
    } catch (JMException | RuntimeException e) {
      return complain(e.getMessage());
    } catch (NoClassDefFoundError e) {
      return complain("this Java lacks module jdk.attach: use a JDK");
    }
  }

  private TerraceMXBean bean(MBeanServerConnection beans) throws IOException, JMException {
    Set<ObjectName> names = beans.queryNames(new ObjectName(NAMES), null);
    if (names.size() != 1) {
      String found = names.isEmpty() ? "no cache" : names.size() + " caches";
      throw new IOException("process " + pid + " has " + found + " of Terrace");
    }
    return JMX.newMXBeanProxy(beans, names.iterator().next(), TerraceMXBean.class);
  }

  /** Loaded only when it is used, since it needs a module that a JRE may lack. */
  private static final class Attachment {

    /** The JMX of another process, which needs no JMX port. */
    // BanJNDI: the address belongs to a process on this machine.
    @SuppressWarnings("BanJNDI")
    static JMXConnector to(long pid) throws IOException {
      try {
        VirtualMachine process = VirtualMachine.attach(Long.toString(pid));
        try {
          return JMXConnectorFactory.connect(
              new JMXServiceURL(process.startLocalManagementAgent()));
        } finally {
          process.detach();
        }
      } catch (IOException | AttachNotSupportedException e) {
        throw new IOException("process " + pid + " cannot be reached: " + e.getMessage(), e);
      }
    }
  }
}
