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
package dev.terrace.bench.churn;

import dev.terrace.hbase.TieredBlockCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;

/**
 * The direct memory that this process has, from all who can hand it out here: the JDK, and each
 * copy of Netty. Netty takes memory past the JDK's count where it can, and then counts for itself.
 */
final class DirectMemory {

  private static final String COUNTER_CLASS = "io.netty.util.internal.PlatformDependent";
  private static final String COUNTER_FILE = "/netty/util/internal/PlatformDependent.class";
  private static final String COUNTER_METHOD = "usedDirectMemory";
  private static final String HBASE_PREFIX = "org.apache.hbase.thirdparty.";

  private final BufferPoolMXBean jdkPool =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct"))
          .findFirst()
          .orElseThrow();

  private final List<Method> nettyCounters;

  DirectMemory() {
    Set<String> classes = new TreeSet<>(List.of(COUNTER_CLASS, HBASE_PREFIX + COUNTER_CLASS));
    classes.addAll(counterClassesIn(TieredBlockCache.class));
    nettyCounters = new ArrayList<>();
    for (String name : classes) {
      counter(name).ifPresent(nettyCounters::add);
    }
  }

  /** Empty if the class path is without this copy of Netty, which then takes no memory either. */
  private static Optional<Method> counter(String className) {
    try {
      return Optional.of(Class.forName(className).getMethod(COUNTER_METHOD));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(className + " does not tell the direct memory it uses", e);
    }
  }

  /** Bytes in use. */
  long usedBytes() {
    long bytes = jdkPool.getMemoryUsed();
    for (Method counter : nettyCounters) {
      bytes += Math.max(0, read(counter));
    }
    return bytes;
  }

  /** Negative where this copy of Netty leaves the counting to the JDK. */
  private static long read(Method counter) {
    try {
      return (long) counter.invoke(null);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(counter + " cannot be called", e);
    }
  }

  /** In the jar that a class comes from, Netty's counter under the name it was moved to. */
  private static List<String> counterClassesIn(Class<?> owner) {
    URL location = owner.getProtectionDomain().getCodeSource().getLocation();
    try {
      Path path = Path.of(location.toURI());
      if (!Files.isRegularFile(path)) {
        return List.of();
      }
      try (JarFile jar = new JarFile(path.toFile())) {
        return jar.stream()
            .map(entry -> entry.getName())
            .filter(name -> name.endsWith(COUNTER_FILE) && !name.startsWith("META-INF/"))
            .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
            .toList();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("cannot read " + location, e);
    }
  }
}
