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
