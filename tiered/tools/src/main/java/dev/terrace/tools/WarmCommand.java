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
package dev.terrace.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code warm}: has a running region server warm a table. */
@Command(
    name = "warm",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Has a region server cache what is known to be hot of the regions that it has open of a"
          + " table, or all of it, at the pace of hbase.terrace.warm.rate. Waits for the end;"
          + " Ctrl-C ends it on the server, too. Without TABLE it prints how far the last one is."
    },
    footerHeading = "%n",
    footer = {
      "The command goes to the page /terrace/warm on the info port. Exit value: 0; 1 if it was"
          + " stopped; 2 if the server refuses or does not answer, or an option is wrong."
    })
public final class WarmCommand implements Callable<Integer> {

  private static final int STOPPED = 1;
  private static final int FAILED = 2;
  private static final byte[] NOTHING = {};
  private static final String PAGE = "/terrace/warm";
  private static final String RUNNING = "running";
  private static final Duration LOOKS_EVERY = Duration.ofSeconds(1);
  private static final int LOOKS_A_LINE = 5;
  private static final String CLEAR_LINE = "\r\u001b[K";

  @Spec private CommandSpec spec;

  @Option(
      names = "--server",
      paramLabel = "HOST:PORT",
      required = true,
      description = InfoPort.OPTION)
  private String server;

  @Option(
      names = "--from",
      paramLabel = "HOST:PORT",
      description =
          "By what another server has cached, in place of the lists of the regions: one that had"
              + " the regions, or has replicas of them.")
  private String from;

  @Option(
      names = "--all",
      description =
          "Then all other blocks, into the lowest tier, as long as that and the table's share of it"
              + " have free room.")
  private boolean all;

  @Option(names = "--stop", description = "Ends what runs.")
  private boolean stop;

  @Parameters(
      arity = "0..1",
      paramLabel = "TABLE[/FAMILY]",
      description = "Such as ns:users, or ns:users/info.")
  private String table;

  @Override
  public Integer call() throws InterruptedException {
    boolean isMore = all || from != null;
    if (stop ? table != null || isMore : isMore && table == null) {
      return complain("--stop goes without a table, --all and --from go with one");
    }
    if (all && from != null) {
      return complain("--all and --from do not go together");
    }
    InfoPort port = new InfoPort(server, "call startWarming over JMX");
    try {
      if (table == null) {
        print(stop ? port.post(PAGE, NOTHING) : port.get(PAGE));
        return 0;
      }
      String started = port.post(PAGE + "?all=" + all + "&name=" + InfoPort.encoded(table), list());
      return watch(port, started);
    } catch (IOException | IllegalArgumentException e) {
      String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      return complain(server + ": " + reason);
    }
  }

  /** The list of the other server, if one is named. */
  private byte[] list() throws IOException, InterruptedException {
    if (from == null) {
      return NOTHING;
    }
    try {
      return new InfoPort(from, "call heatList over JMX")
          .bytes(PAGE + "?list=" + InfoPort.encoded(table.replaceFirst("/.*", "")));
    } catch (IOException e) {
      throw new IOException("no list from " + from + ": " + e.getMessage(), e);
    }
  }

  private int watch(InfoPort port, String started) throws IOException, InterruptedException {
    Thread atExit = new Thread(() -> stopQuietly(port), "terrace-warm-stop");
    Runtime.getRuntime().addShutdownHook(atExit);
    CountDownLatch never = new CountDownLatch(1);
    boolean isTerminal = Boolean.getBoolean("terrace.terminal");
    String status = started;
    for (int look = 0; status.startsWith(RUNNING); look++) {
      if (isTerminal) {
        show(CLEAR_LINE + status.strip());
      } else if (look % LOOKS_A_LINE == 0) {
        print(status);
      }
      var unused = never.await(LOOKS_EVERY.toMillis(), TimeUnit.MILLISECONDS);
      status = port.get(PAGE);
    }
    Runtime.getRuntime().removeShutdownHook(atExit);
    print((isTerminal ? CLEAR_LINE : "") + status);
    return status.startsWith("done") ? 0 : STOPPED;
  }

  private static void stopQuietly(InfoPort port) {
    try {
      var unused = port.post(PAGE, NOTHING);
    } catch (IOException e) {
      // The server is gone, or will go on to the end: nobody reads a message any more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void print(String line) {
    show(line.strip() + System.lineSeparator());
  }

  private void show(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }

  private int complain(String reason) {
    spec.commandLine().getErr().println(spec.qualifiedName() + ": " + reason);
    return FAILED;
  }
}
