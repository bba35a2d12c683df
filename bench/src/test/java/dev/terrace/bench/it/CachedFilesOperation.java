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

/** The operation of Terrace's JMX bean that tells how much of which file is cached. */
final class CachedFilesOperation {

  private static final int MOST = 10_000;

  private CachedFilesOperation() {}

  /**
   * Returns cached bytes by file. HBase's page offers no operations, so this attaches to the JVM.
   */
  // BanJNDI: the address is that of a process of this test.
  @SuppressWarnings("BanJNDI")
  static Map<String, Long> call(HBaseServer server) throws IOException {
    try (JMXConnector connector =
        JMXConnectorFactory.connect(new JMXServiceURL(connectorAddress(server)))) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      ObjectName name =
          beans.queryNames(new ObjectName("dev.terrace:type=BlockCache,*"), null).iterator().next();
      TabularData rows =
          (TabularData)
              beans.invoke(
                  name, "cachedFiles", new Object[] {MOST}, new String[] {int.class.getName()});
      Map<String, Long> bytes = new HashMap<>();
      for (Object row : rows.values()) {
        CompositeData file = (CompositeData) row;
        bytes.put((String) file.get("key"), (Long) file.get("value"));
      }
      return bytes;
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
