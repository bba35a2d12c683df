// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One {@link LocalCluster} of one server for the tests of a class that asks for it. It closes after
 * the last class of the JVM, when HBase's threads no longer write to its folder.
 */
public final class SharedCluster implements ParameterResolver {

  private record Started(LocalCluster cluster, File folder) implements AutoCloseable {

    static Started now() throws IOException, InterruptedException {
      Path build = Path.of(System.getProperty("terrace.build.directory", "target"));
      File folder = Files.createTempDirectory(build.toAbsolutePath(), "cluster").toFile();
      return new Started(new LocalCluster(folder), folder);
    }

    @Override
    public void close() throws IOException {
      cluster.close();
      FileUtils.deleteDirectory(folder);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LocalCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(ExtensionContext.Namespace.create(SharedCluster.class))
        .getOrComputeIfAbsent(Started.class, key -> start(), Started.class)
        .cluster();
  }

  private static Started start() {
    try {
      return Started.now();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the cluster started", e);
    }
  }
}
