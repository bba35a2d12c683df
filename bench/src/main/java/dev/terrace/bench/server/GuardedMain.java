// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.server;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs the main method of another class, and ends this process when the one that started it is
 * gone.
 *
 * <p>The starter holds the other end of this process's standard input and never writes to it. The
 * system closes that pipe however the starter ends, {@code kill -9} included, so the end of the
 * input means that nobody is left to stop this process. The class uses nothing but the JDK: the
 * server's class path holds it alone of all of Terrace's tools.
 */
final class GuardedMain {

  private GuardedMain() {}

  /** Runs the class that the first argument names with the further ones. */
  public static void main(String[] arguments) throws Throwable {
    Thread guard = new Thread(GuardedMain::haltAtEndOfInput, "terrace-parent-guard");
    guard.setDaemon(true);
    guard.start();
    try {
      Class.forName(arguments[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void haltAtEndOfInput() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      System.err.println("standard input broke, which is taken as the end of the starter: " + e);
    }
    // Not an exit: the server's shutdown hooks may wait for each other, and what it has written is
    // in its logs.
    Runtime.getRuntime().halt(143);
  }
}
