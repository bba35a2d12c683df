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
package dev.terrace.bench.inspect;

import dev.terrace.api.BlockTraits;
import dev.terrace.hbase.blocks.BlockTypes;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.Tally;
import dev.terrace.region.inspect.Damage;
import dev.terrace.region.inspect.RegionState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;

/** What is in a cache, for programs. */
final class InspectJson {

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private final Map<String, Object> facts = new LinkedHashMap<>();

  InspectJson(ReadOnlyDevice cache, CacheInspection found, int fileLimit) {
    facts.put("path", cache.path());
    facts.put("kind", cache.kind().toString());
    facts.put("formatVersion", cache.formatVersion());
    facts.put("id", cache.id().toString());
    facts.put("generation", cache.generation());
    facts.put("created", Instant.ofEpochMilli(cache.createdMillis()).toString());
    facts.put("opened", Instant.ofEpochMilli(cache.openedMillis()).toString());
    facts.put("regionBytes", cache.regionBytes());
    Map<String, Integer> regions = new LinkedHashMap<>();
    for (RegionState state : RegionState.values()) {
      regions.put(state.toString(), found.regions(state));
    }
    facts.put("regions", regions);
    facts.put("live", found.live());
    facts.put("superseded", found.superseded());
    facts.put("fleeting", found.fleeting());
    found.oldest().ifPresent(block -> facts.put("oldest", block));
    found.newest().ifPresent(block -> facts.put("newest", block));
    Map<String, Tally> types = new LinkedHashMap<>();
    for (int type = 0; type < BlockTraits.TYPES; type++) {
      if (found.ofType(type).blocks() > 0) {
        types.put(BlockTypes.label(type), found.ofType(type));
      }
    }
    facts.put("types", types);
    facts.put("files", found.files().stream().limit(fileLimit).toList());
    facts.put("fileCount", found.files().size());
    facts.put("damages", found.damages().stream().map(Damage::toString).toList());
  }

  @Override
  public String toString() {
    return GSON.toJson(facts);
  }
}
