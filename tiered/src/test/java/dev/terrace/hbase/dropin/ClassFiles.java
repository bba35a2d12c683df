// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javassist.bytecode.ClassFile;

/**
 * The class files of a class path, read and not loaded. The first jar that has a class wins, and
 * the JDK comes before all of them. Names are those of class files, with slashes. Not thread-safe.
 */
final class ClassFiles implements Closeable {

  private final URLClassLoader files;
  private final Map<String, Optional<ClassFile>> read = new HashMap<>();

  ClassFiles(List<Path> classPath) {
    URL[] urls = classPath.stream().map(ClassFiles::url).toArray(URL[]::new);
    files = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("path=" + path, e);
    }
  }

  /** The class of a name, or nothing. */
  Optional<ClassFile> find(String name) {
    return read.computeIfAbsent(name, this::read);
  }

  private Optional<ClassFile> read(String name) {
    try (InputStream in = files.getResourceAsStream(name + ".class")) {
      return in == null ? Optional.empty() : Optional.of(parse(in));
    } catch (IOException e) {
      throw new UncheckedIOException("class=" + name, e);
    }
  }

  static ClassFile parse(InputStream in) throws IOException {
    return new ClassFile(new DataInputStream(new BufferedInputStream(in)));
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
