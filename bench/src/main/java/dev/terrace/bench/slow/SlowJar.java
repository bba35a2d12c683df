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
package dev.terrace.bench.slow;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Writes the jar that brings the slow store to an HBase server: the classes of this package. */
public final class SlowJar {

  private static final String FILE = "terrace-slow-store.jar";
  private static final String PACKAGE = SlowJar.class.getPackageName().replace('.', '/');

  private SlowJar() {}

  /**
   * Writes the jar.
   *
   * @param folder where; must exist
   * @return the jar
   * @throws IOException if the classes cannot be found or the jar cannot be written
   */
  public static Path write(Path folder) throws IOException {
    Path jar = folder.resolve(FILE);
    URI own = ownClass();
    if (own.getScheme().equals("jar")) {
      try (FileSystem inside = FileSystems.newFileSystem(own, Map.of())) {
        pack(inside.getPath(PACKAGE), jar);
      }
    } else {
      pack(Path.of(own).resolveSibling("."), jar);
    }
    return jar;
  }

  private static URI ownClass() throws IOException {
    try {
      return SlowJar.class.getResource("SlowJar.class").toURI();
    } catch (URISyntaxException e) {
      throw new IOException("the place of the slow store's classes has no usable address", e);
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(classes)) {
      files = found.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Path file : files) {
        out.putNextEntry(new JarEntry(PACKAGE + "/" + file.getFileName()));
        try (InputStream in = Files.newInputStream(file)) {
          in.transferTo(out);
        }
        out.closeEntry();
      }
    }
  }
}
