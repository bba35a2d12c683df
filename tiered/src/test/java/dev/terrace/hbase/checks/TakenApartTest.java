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
package dev.terrace.hbase.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.terrace.hbase.TieredBlockCache;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a class path that has a class of HBase 4, Terrace does not start. */
class TakenApartTest {

  /** A class path of its own: that of this test, with some folder before it. */
  private static URLClassLoader classPath(Path folder) throws Exception {
    List<URL> entries = new ArrayList<>(List.of(folder.toUri().toURL()));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      entries.add(Path.of(entry).toUri().toURL());
    }
    return new URLClassLoader(entries.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  /** What a start there throws, if it does. */
  private static Throwable start(Path folder) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader classPath = classPath(folder)) {
      thread.setContextClassLoader(classPath);
      Class<?> confType = classPath.loadClass(Configuration.class.getName());
      Object conf = confType.getConstructor(boolean.class).newInstance(false);
      // Not started, whatever its class path has: the size is none.
      confType
          .getMethod("set", String.class, String.class)
          .invoke(conf, "hbase.terrace.dram.size", "much");
      Class<?> cacheType = classPath.loadClass(TieredBlockCache.class.getName());
      assertThat(cacheType).isNotSameAs(TieredBlockCache.class);
      Throwable thrown = catchThrowable(() -> cacheType.getConstructor(confType).newInstance(conf));
      assertThat(thrown).isInstanceOf(InvocationTargetException.class);
      return thrown.getCause();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void aServerWithThatClassDoesNotStart(@TempDir Path folder) throws Exception {
    String error = "takes block caches apart";
    assertThat(start(folder)).hasMessageNotContaining(error);

    // Its name is enough: nothing of it is read.
    Path file = folder.resolve(ServerProcess.TAKES_CACHES_APART.replace('.', '/') + ".class");
    Files.createDirectories(file.getParent());
    Files.createFile(file);

    assertThat(start(folder))
        .hasMessageContaining(
            error
                + " (it has org.apache.hadoop.hbase.io.hfile.cache.CacheAccessService): run one of"
                + " HBase 2.5, 2.6, 3.0");
  }
}
