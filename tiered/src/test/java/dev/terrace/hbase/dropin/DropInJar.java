// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import javassist.bytecode.ClassFile;

/** The drop-in jar that this build made, and what is in it. */
final class DropInJar {

  private static final String STUB = "org/apache/hadoop/hbase/io/hfile/MemcachedBlockCache";

  private DropInJar() {}

  /** Where the build put it. */
  static Path path() {
    return buildDirectory().resolve("terrace-hbase-" + version() + ".jar");
  }

  /** The module's build directory. */
  static Path buildDirectory() {
    return Path.of(System.getProperty("terrace.build.directory"));
  }

  static String version() {
    return System.getProperty("terrace.version");
  }

  /** The names of all files in it, without folders. */
  static List<String> files() throws IOException {
    try (JarFile jar = new JarFile(path().toFile())) {
      return jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName).toList();
    }
  }

  /** All classes in it. */
  static List<ClassFile> classes() throws IOException {
    List<ClassFile> classes = new ArrayList<>();
    try (JarFile jar = new JarFile(path().toFile())) {
      for (JarEntry entry : jar.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
        try (InputStream in = jar.getInputStream(entry)) {
          classes.add(ClassFiles.parse(in));
        }
      }
    }
    return classes;
  }

  /** Terrace's own classes in it, and the stub that stands in for one of HBase's. */
  static List<ClassFile> ownClasses() throws IOException {
    return classes().stream().filter(type -> isOwn(Linkage.name(type))).toList();
  }

  private static boolean isOwn(String name) {
    return (name.startsWith("dev/terrace/") && !name.startsWith("dev/terrace/shaded/"))
        || name.equals(STUB);
  }
}
