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

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** The settings of a slow store in hbase-site.xml. */
public final class SlowSettings {

  /** The scheme of its addresses. */
  public static final String SCHEME = "terrace-slow";

  /** The profile; {@code object-store} unless set. */
  public static final String PROFILE = "terrace.slow.profile";

  /** A file; as long as it exists, the store is not slow. */
  public static final String WARM_UP_FILE = "terrace.slow.warmup.file";

  private SlowSettings() {}

  /**
   * Returns the settings with which HBase has its files in a slow store.
   *
   * @param rootDirectory absolute path of the local folder that becomes HBase's root directory
   */
  public static Map<String, String> forHBase(String rootDirectory, SlowProfile profile) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("hbase.rootdir", SCHEME + "://" + rootDirectory);
    settings.put("fs." + SCHEME + ".impl", SlowFileSystem.class.getName());
    settings.put(PROFILE, profile.name());
    return settings;
  }

  /**
   * Returns the profile that a configuration asks for.
   *
   * @throws IllegalArgumentException if a setting is wrong; the message names it
   */
  static SlowProfile profile(Configuration configuration) {
    String name = configuration.getTrimmed(PROFILE, SlowProfile.OBJECT_STORE.name());
    try {
      return SlowProfile.named(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          PROFILE + "=" + name + " cannot be used: " + e.getMessage(), e);
    }
  }

  static Optional<Path> warmUpFile(Configuration configuration) {
    return Optional.ofNullable(configuration.getTrimmed(WARM_UP_FILE)).map(Path::of);
  }
}
