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
package dev.terrace.bench.promises;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * The direct memory of this process: the JDK's, and that of each copy of Netty. Netty takes memory
 * past the JDK's count where it can, and then counts for itself.
 */
final class MemoryMeter {

  /** Netty as it is, HBase's copy, and the one in the drop-in jar. */
  private static final List<String> NETTY_PACKAGES =
      List.of("io.netty", "org.apache.hbase.thirdparty.io.netty", "dev.terrace.shaded.netty");

  private final BufferPoolMXBean jdkPool =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct"))
          .findFirst()
          .orElseThrow();

  private final List<Method> nettyCounters = new ArrayList<>();

  MemoryMeter() {
    for (String name : NETTY_PACKAGES) {
      try {
        Class<?> counter = Class.forName(name + ".util.internal.PlatformDependent");
        nettyCounters.add(counter.getMethod("usedDirectMemory"));
      } catch (ClassNotFoundException e) {
        // The class path is without this copy, which then takes no memory either.
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException(name + " does not tell the direct memory it uses", e);
      }
    }
  }

  /** Bytes in use. */
  long usedBytes() {
    long bytes = jdkPool.getMemoryUsed();
    try {
      for (Method counter : nettyCounters) {
        // Negative where this copy of Netty leaves the counting to the JDK.
        bytes += Math.max(0, (long) counter.invoke(null));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the memory of Netty cannot be read", e);
    }
    return bytes;
  }
}
