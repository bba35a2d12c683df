// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import dev.terrace.hbase.preflight.EntryKeys;
import dev.terrace.hbase.settings.Findings;
import dev.terrace.hbase.settings.SiteValues;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipFile;

/** The classes on a region server's class path. None of them is loaded. */
final class ServerClasses implements AutoCloseable {

  private final URLClassLoader finder;

  /** Jars that the JVM passes over without a word, each with the reason. */
  private final List<String> unreadable = new ArrayList<>();

  /** The classes on a class path, without the entries that only the tools have. */
  ServerClasses(String classPath, Collection<String> tools) throws IOException {
    List<URL> entries = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      if (!entry.isEmpty() && !tools.contains(entry)) {
        entries.add(Path.of(entry).toUri().toURL());
        recordUnlessReadable(new File(entry));
      }
    }
    finder = new URLClassLoader(entries.toArray(URL[]::new), null);
  }

  private void recordUnlessReadable(File jar) {
    if (jar.isFile()) {
      try {
        new ZipFile(jar).close();
      } catch (IOException e) {
        unreadable.add(jar + " (" + e.getMessage() + ")");
      }
    }
  }

  boolean has(String className) {
    return finder.findResource(file(className)) != null;
  }

  private static String file(String className) {
    return className.replace('.', '/') + ".class";
  }

  /** Checks the jars, and the classes that the configuration names. */
  void check(SiteValues site, Findings findings) throws IOException {
    List<String> terraces =
        Collections.list(
                finder.findResources(file(EntryKeys.CLASSES.get(EntryKeys.EXTERNAL_CACHE))))
            .stream()
            .map(url -> url.getPath().replaceFirst("^file:", "").replaceFirst("!?/dev/.*", ""))
            .toList();
    if (terraces.size() > 1) {
      findings.warning("two-terraces", String.join(" and ", terraces));
    }
    unreadable.forEach(jar -> findings.warning("unreadable-jar", jar));
    EntryKeys.ALL.stream()
        .filter(key -> !key.equals(EntryKeys.EXTERNAL_CACHE) || site.isTrue(EntryKeys.USE_EXTERNAL))
        .forEach(
            key ->
                EntryKeys.classes(site, key).stream()
                    .filter(name -> !has(name))
                    .forEach(
                        name ->
                            findings.error(
                                "no-class", key, name, remedy(key, name, terraces.isEmpty()))));
  }

  private String remedy(String key, String name, boolean isTerraceAbsent) {
    boolean isTerrace = name.startsWith("dev.terrace.");
    return isTerrace && !isTerraceAbsent
        ? "write " + EntryKeys.CLASSES.get(key)
        : unreadable.isEmpty()
            ? "copy "
                + (isTerrace ? "terrace-hbase-VERSION.jar" : "its jar")
                + " into HBase's lib, or name it in HBASE_CLASSPATH"
            : "fix the jars that cannot be read: " + String.join(", ", unreadable);
  }

  @Override
  public void close() throws IOException {
    finder.close();
  }
}
