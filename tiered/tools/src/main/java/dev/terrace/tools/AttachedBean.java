// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Terrace's JMX bean in another process of this machine and user. Needs no JMX port: it attaches as
 * {@code jcmd} does.
 *
 * @param connector to the process
 */
record AttachedBean(JMXConnector connector, MBeanServerConnection beans, ObjectName name)
    implements AutoCloseable {

  private static final String NAMES = "dev.terrace:type=BlockCache,*";

  /**
   * Attaches to a process.
   *
   * @throws IOException if that fails, or the process does not have one such bean
   */
  // BanJNDI: the address is that of a process of this machine.
  @SuppressWarnings("BanJNDI")
  static AttachedBean of(long pid) throws IOException {
    JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address(pid)));
    try {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      Set<ObjectName> names = beans.queryNames(new ObjectName(NAMES), null);
      if (names.size() != 1) {
        throw new IOException(
            String.format(
                "process %d has %s of Terrace",
                pid, names.isEmpty() ? "no cache" : names.size() + " caches"));
      }
      return new AttachedBean(connector, beans, names.iterator().next());
    } catch (IOException | JMException e) {
      connector.close();
      throw failure(e);
    }
  }

  private static String address(long pid) throws IOException {
    try {
      VirtualMachine process = VirtualMachine.attach(Long.toString(pid));
      try {
        return process.startLocalManagementAgent();
      } finally {
        process.detach();
      }
    } catch (IOException | AttachNotSupportedException e) {
      throw new IOException("process " + pid + " cannot be reached: " + e.getMessage(), e);
    }
  }

  /** Returns the text of an attribute. */
  String attribute(String attribute) throws IOException {
    try {
      return String.valueOf(beans.getAttribute(name, attribute));
    } catch (JMException | JMRuntimeException e) {
      throw failure(e);
    }
  }

  /**
   * Calls an operation whose parameters are texts, numbers and flags.
   *
   * @throws IOException with the message of what the operation throws
   */
  void invoke(String operation, Object... arguments) throws IOException {
    String[] types = Arrays.stream(arguments).map(AttachedBean::typeName).toArray(String[]::new);
    try {
      beans.invoke(name, operation, arguments, types);
    } catch (JMException | JMRuntimeException e) {
      throw failure(e);
    }
  }

  private static String typeName(Object argument) {
    if (argument instanceof Integer) {
      return int.class.getName();
    }
    return argument instanceof Boolean ? boolean.class.getName() : argument.getClass().getName();
  }

  /** JMX wraps what the operation throws. */
  private static IOException failure(Exception e) {
    Throwable reason = e.getCause() == null ? e : e.getCause();
    return new IOException(reason.getMessage(), e);
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
