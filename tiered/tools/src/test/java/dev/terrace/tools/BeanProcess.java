// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/** A process with a recorder under the name that it is given, until it is killed. */
final class BeanProcess {

  private BeanProcess() {}

  public static void main(String[] names) throws Exception {
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(new TraceCommandTest.Recorder(), new ObjectName(names[0]));
    System.out.write('!');
    System.out.flush();
    System.in.read();
  }
}
