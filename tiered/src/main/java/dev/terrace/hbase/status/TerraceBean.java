// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.status;

import java.util.List;
import java.util.Map;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An instance of Terrace in JMX, until it is closed. Several instances in a JVM have a name each.
 */
public final class TerraceBean extends StandardMBean implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TerraceBean.class);
  private static final String DOMAIN = "dev.terrace:type=BlockCache,name=";

  /** Parameter names by operation; an interface does not keep them. */
  private static final Map<String, List<String>> PARAMETERS =
      Map.of(
          "startTrace", List.of("folder", "oneIn", "maxMegabytes", "maxSeconds", "withTables"),
          "whyNotCached", List.of("name"));

  /** Parameter names of all other operations, which return lists. */
  private static final List<String> OF_LISTS = List.of("limit");

  private final MBeanServer server;
  private ObjectName name;

  private TerraceBean(MBeanServer server, TerraceMXBean bean) {
    super(bean, TerraceMXBean.class, true);
    this.server = server;
  }

  /** Registers the bean under the first free number. On failure the cache runs without a bean. */
  public static TerraceBean register(MBeanServer server, TerraceMXBean bean) {
    TerraceBean registered = new TerraceBean(server, bean);
    try {
      registered.register();
    } catch (JMException | RuntimeException e) {
      LOG.warn("Terrace's JMX bean is missing; caching is not affected", e);
    }
    return registered;
  }

  private synchronized void register() throws JMException {
    for (int number = 1; name == null; number++) {
      ObjectName free = new ObjectName(DOMAIN + number);
      try {
        name = server.registerMBean(this, free).getObjectName();
      } catch (InstanceAlreadyExistsException e) {
        LOG.debug("JMX name {} is already registered", free);
      }
    }
  }

  @Override
  public synchronized void close() {
    if (name == null) {
      return;
    }
    try {
      server.unregisterMBean(name);
    } catch (JMException | RuntimeException e) {
      LOG.warn("Could not unregister {} from JMX (harmless)", name, e);
    }
    name = null;
  }

  @Override
  protected String getParameterName(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    return PARAMETERS.getOrDefault(operation.getName(), OF_LISTS).get(sequence);
  }
}
