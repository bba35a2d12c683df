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
import java.time.Duration;
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

  /** Microseconds to the first byte at least, in place of the profile's. */
  public static final String LEAST_MICROS = "terrace.slow.latency.micros.min";

  /** Microseconds to the first byte at most, in place of the profile's. */
  public static final String MOST_MICROS = "terrace.slow.latency.micros.max";

  /** Microseconds of a request without data, in place of the profile's. */
  public static final String METADATA_MICROS = "terrace.slow.metadata.micros";

  /** Bytes a second of one stream, in place of the profile's; 0 is no limit. */
  public static final String STREAM_BYTES = "terrace.slow.stream.bytes.per.second";

  /** Bytes a second of all streams, in place of the profile's; 0 is no limit. */
  public static final String DEVICE_BYTES = "terrace.slow.device.bytes.per.second";

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
      SlowProfile named = SlowProfile.named(name);
      return new SlowProfile(
          named.name(),
          micros(configuration, LEAST_MICROS, named.least()),
          micros(configuration, MOST_MICROS, named.most()),
          micros(configuration, METADATA_MICROS, named.metadata()),
          configuration.getLong(STREAM_BYTES, named.streamBytesPerSecond()),
          configuration.getLong(DEVICE_BYTES, named.deviceBytesPerSecond()),
          named.oneAtATime());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          PROFILE + "=" + name + " and what goes with it cannot be used: " + e.getMessage(), e);
    }
  }

  static Optional<Path> warmUpFile(Configuration configuration) {
    return Optional.ofNullable(configuration.getTrimmed(WARM_UP_FILE)).map(Path::of);
  }

  private static Duration micros(Configuration configuration, String key, Duration otherwise) {
    long micros = configuration.getLong(key, otherwise.toNanos() / 1_000);
    return Duration.ofNanos(micros * 1_000);
  }
}
