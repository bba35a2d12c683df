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
package dev.terrace.hbase;

import dev.terrace.dram.DramTier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings in effect, and what becomes of them when HBase reloads its configuration: what may
 * change while the cache runs does, the rest waits for a restart. Thread-safe.
 */
final class LiveSettings {

  private static final Logger LOG = LoggerFactory.getLogger(LiveSettings.class);

  private final Optional<? extends DramTier<?>> dram;
  private TerraceSettings current;

  /** The settings that a cache was started with, and its DRAM tier if it has one. */
  LiveSettings(TerraceSettings initial, Optional<? extends DramTier<?>> dram) {
    this.current = initial;
    this.dram = dram;
  }

  synchronized TerraceSettings current() {
    return current;
  }

  /** Takes over what a configuration says; if it is not valid, nothing of it. */
  synchronized void change(Configuration conf) {
    TerraceSettings wanted;
    try {
      wanted = TerraceSettings.parse(conf);
    } catch (SettingsException e) {
      LOG.error("Terrace keeps its settings, for the new ones cannot be used: {}", e.getMessage());
      return;
    }
    List<String> changes = new ArrayList<>();
    if (isDramToStay(wanted) && wanted.dramSizeBytes() != current.dramSizeBytes()) {
      changes.add(resize(dram.get(), wanted.dramSizeBytes()));
    }
    waiting(wanted).forEach(key -> changes.add(key + " changes with the next restart"));
    if (!changes.isEmpty()) {
      LOG.info("Terrace read new settings: {}", String.join("; ", changes));
    }
  }

  private boolean isDramToStay(TerraceSettings wanted) {
    return dram.isPresent() && wanted.dramSizeBytes() > 0;
  }

  /** The keys whose wanted values are not those in effect. */
  private List<String> waiting(TerraceSettings wanted) {
    Map<String, String> now = current.asMap();
    List<String> keys = new ArrayList<>();
    wanted
        .asMap()
        .forEach(
            (key, value) -> {
              boolean reported =
                  key.equals(TerraceSettings.DRAM_SIZE.key()) && isDramToStay(wanted);
              if (!reported && !value.equals(now.get(key))) {
                keys.add(key);
              }
            });
    return keys;
  }

  /** Makes the DRAM tier larger or smaller, unless there is none or it cannot be of that size. */
  synchronized void changeDramSize(long sizeBytes) {
    if (dram.isEmpty()) {
      LOG.info("Terrace was asked for another size, and has no DRAM tier to change");
    } else if (sizeBytes != current.dramSizeBytes()) {
      String change = resize(dram.get(), sizeBytes);
      LOG.info("Terrace was asked for another size: {}", change);
    }
  }

  private String resize(DramTier<?> tier, long sizeBytes) {
    String key = TerraceSettings.DRAM_SIZE.key();
    String before = DirectMemory.readable(current.dramSizeBytes());
    try {
      tier.resize(sizeBytes);
    } catch (IllegalArgumentException | OutOfMemoryError e) {
      long sizeNow = tier.stats().capacityBytes();
      LOG.error("{}={} cannot be had; the DRAM tier has {} now", key, sizeBytes, sizeNow, e);
      current = current.withDramSizeBytes(sizeNow);
      return key + " was to change from " + before + ", which failed";
    }
    current = current.withDramSizeBytes(sizeBytes);
    return key + " changed from " + before + " to " + DirectMemory.readable(sizeBytes);
  }
}
