// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.terrace.bench.server.HBaseServer;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;

/**
 * Operations of Terrace's JMX bean. HBase's page offers none, so each call attaches to the server's
 * JVM.
 */
final class BeanOperations {

  private static final int MAX_FILES = 10_000;

  private BeanOperations() {}

  /** An attribute of the bean, as HBase's page has it. */
  static JsonElement attribute(HBaseServer server, String name) throws IOException {
    return server.jmx().bean("dev.terrace:type=BlockCache,*").orElseThrow().json().get(name);
  }

  /** The cached bytes of each file in the tier that has most of it: a block may be in several. */
  static Map<String, Long> cachedFiles(HBaseServer server) throws IOException {
    TabularData tiers = (TabularData) invoke(server, "cachedFiles", int.class, MAX_FILES);
    Map<String, Long> bytes = new HashMap<>();
    for (Object tier : tiers.values()) {
      numbers((TabularData) ((CompositeData) tier).get("value"))
          .forEach((file, more) -> bytes.merge(file, more, Math::max));
    }
    return bytes;
  }

  /** Why something is not cached. */
  static String whyNotCached(HBaseServer server, String name) throws IOException {
    return (String) invoke(server, "whyNotCached", String.class, name);
  }

  /** What compactions did to cached blocks, by the names of the figures. */
  static Map<String, Long> compactionCaching(HBaseServer server) throws IOException {
    return withBean(
        server,
        (beans, name) -> numbers((TabularData) beans.getAttribute(name, "CompactionCaching")));
  }

  private static Map<String, Long> numbers(TabularData rows) {
    Map<String, Long> numbers = new HashMap<>();
    for (Object row : rows.values()) {
      CompositeData entry = (CompositeData) row;
      numbers.put((String) entry.get("key"), (Long) entry.get("value"));
    }
    return numbers;
  }

  private static Object invoke(HBaseServer server, String operation, Class<?> type, Object argument)
      throws IOException {
    return withBean(
        server,
        (beans, name) ->
            beans.invoke(name, operation, new Object[] {argument}, new String[] {type.getName()}));
  }

  /** What is done with the bean of a server. */
  @FunctionalInterface
  private interface BeanUse<T> {
    T apply(MBeanServerConnection beans, ObjectName name) throws JMException, IOException;
  }

  // BanJNDI: the address is that of a process of this test.
  @SuppressWarnings("BanJNDI")
  private static <T> T withBean(HBaseServer server, BeanUse<T> use) throws IOException {
    try (JMXConnector connector =
        JMXConnectorFactory.connect(new JMXServiceURL(connectorAddress(server)))) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      ObjectName name =
          beans.queryNames(new ObjectName("dev.terrace:type=BlockCache,*"), null).iterator().next();
      return use.apply(beans, name);
    } catch (JMException e) {
      throw new IOException("process=" + server.pid(), e);
    }
  }

  private static String connectorAddress(HBaseServer server) throws IOException {
    try {
      VirtualMachine jvm = VirtualMachine.attach(Long.toString(server.pid()));
      try {
        return jvm.startLocalManagementAgent();
      } finally {
        jvm.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("process=" + server.pid(), e);
    }
  }
}
