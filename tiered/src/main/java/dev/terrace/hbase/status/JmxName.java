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
package dev.terrace.hbase.status;

import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The name under which an instance is seen in JMX. Several instances in a JVM have their own. */
public final class JmxName implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JmxName.class);
  private static final String DOMAIN = "dev.terrace:type=BlockCache,name=";

  private final MBeanServer server;
  private ObjectName name;

  private JmxName(MBeanServer server, ObjectName name) {
    this.server = server;
    this.name = name;
  }

  /** Registers the bean under the first free number. On failure the cache runs without a bean. */
  public static JmxName register(MBeanServer server, TerraceBean bean) {
    try {
      return new JmxName(server, firstFree(server, bean));
    } catch (JMException | RuntimeException e) {
      LOG.warn("Terrace's bean could not be registered in JMX", e);
      return new JmxName(server, null);
    }
  }

  private static ObjectName firstFree(MBeanServer server, TerraceBean bean) throws JMException {
    for (int number = 1; ; number++) {
      ObjectName name = new ObjectName(DOMAIN + number);
      try {
        return server.registerMBean(bean, name).getObjectName();
      } catch (InstanceAlreadyExistsException e) {
        LOG.debug("{} is taken", name);
      }
    }
  }

  /** The name; null if the registration failed, or was taken back. */
  public synchronized ObjectName name() {
    return name;
  }

  @Override
  public synchronized void close() {
    if (name == null) {
      return;
    }
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      LOG.debug("{} was removed from JMX by other code", name, e);
    } catch (JMException | RuntimeException e) {
      LOG.warn("{} stays in JMX", name, e);
    }
    name = null;
  }
}
