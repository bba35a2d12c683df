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
package dev.terrace.bench.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Jars of a few of our classes, for a server's {@code lib/}. */
public final class ClassJar {

  private ClassJar() {}

  /** Writes classes and those nested in them to a jar in an existing folder; returns the jar. */
  public static Path write(Path jar, List<Class<?>> classes) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Class<?> outer : classes) {
        for (Class<?> each : outer.getNestMembers()) {
          String file = each.getName().replace('.', '/') + ".class";
          out.putNextEntry(new JarEntry(file));
          try (InputStream in = outer.getClassLoader().getResourceAsStream(file)) {
            in.transferTo(out);
          }
          out.closeEntry();
        }
      }
    }
    return jar;
  }
}
