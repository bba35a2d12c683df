// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code why}: asks a running region server why something is not cached. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description = {
      "Asks a running region server why a store file, a table or a column family is not cached, or"
          + " not all of it."
    },
    footerHeading = "%n",
    footer = {
      "The question goes to the page /terrace on the info port. Exit value: 0; 2 if the server does"
          + " not answer, or an option is wrong."
    })
public final class WhyCommand implements Callable<Integer> {

  private static final int NO_ANSWER = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = "--server",
      paramLabel = "HOST:PORT",
      required = true,
      description = InfoPort.OPTION)
  private String server;

  @Parameters(
      arity = "1..2",
      paramLabel = "NAME",
      description =
          "The name or path of a store file; or a table, such as ns:users; or a table and a family,"
              + " such as ns:users info.")
  private List<String> name;

  @Override
  public Integer call() throws InterruptedException {
    try {
      PrintWriter out = spec.commandLine().getOut();
      out.print(
          new InfoPort(server, "open /terrace in a browser, or call whyNotCached over JMX")
              .get("/terrace?as=text&why=" + InfoPort.encoded(String.join(" ", name))));
      out.flush();
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      spec.commandLine()
          .getErr()
          .println(spec.qualifiedName() + ": no answer from " + server + ": " + reason);
      return NO_ANSWER;
    }
  }
}
