// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;

/**
 * A program that examines folders of configuration, one after the other, as {@code doctor} does in
 * a process for each.
 */
final class RealExaminations {

  private RealExaminations() {}

  /**
   * The first argument is the folder for what is printed, the others are folders of configuration.
   * The variable SERVER has the class path of the server.
   */
  public static void main(String[] arguments) throws IOException {
    Doctor.setProperties(System.getenv());
    ServerJvm jvm =
        ServerJvm.of(System.getenv(), ManagementFactory.getRuntimeMXBean().getInputArguments());
    try (ServerClasses classes = new ServerClasses(System.getenv("SERVER"), List.of())) {
      for (int i = 1; i < arguments.length; i++) {
        Path conf = Path.of(arguments[i]);
        RealStarts.setHome(conf.getParent());
        try (PrintWriter out =
            new PrintWriter(Path.of(arguments[0], i + ".txt").toFile(), "UTF-8")) {
          int value = Doctor.examine(() -> ConfigurationFirst.of(conf), conf, jvm, classes, out);
          out.println("exit value " + value);
        }
      }
    }
  }
}
