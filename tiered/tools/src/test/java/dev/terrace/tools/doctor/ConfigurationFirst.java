// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tools.doctor;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** A class path with a folder of configuration in front, as a server's is. */
final class ConfigurationFirst extends URLClassLoader {

  private ConfigurationFirst(URL folder) {
    super(new URL[] {folder}, ConfigurationFirst.class.getClassLoader());
  }

  /** The configuration of a server that has the folder on its class path. */
  static Configuration of(Path folder) {
    Configuration conf = new Configuration();
    try {
      conf.setClassLoader(new ConfigurationFirst(folder.toUri().toURL()));
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
    return HBaseConfiguration.addHbaseResources(conf);
  }

  @Override
  public URL getResource(String name) {
    URL own = findResource(name);
    return own == null ? super.getResource(name) : own;
  }
}
