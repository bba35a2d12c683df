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
package dev.terrace.tools;

import dev.terrace.api.BlockTraits;
import dev.terrace.api.FileUsage;
import dev.terrace.region.folder.ReadOnlyDevice;
import dev.terrace.region.inspect.CacheInspection;
import dev.terrace.region.inspect.CacheInspection.Damage;
import dev.terrace.region.inspect.CacheInspection.RegionState;
import dev.terrace.region.inspect.CacheInspection.Stored;
import dev.terrace.region.inspect.CacheInspection.Tally;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The contents of a cache as JSON. */
final class InspectJson {

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
    facts.put("live", tally(found.live()));
    facts.put("superseded", tally(found.superseded()));
    facts.put("fleeting", tally(found.fleeting()));
    found.oldest().ifPresent(block -> facts.put("oldest", stored(block)));
    found.newest().ifPresent(block -> facts.put("newest", stored(block)));
    Map<String, Object> types = new LinkedHashMap<>();
    for (int type = 0; type < BlockTraits.TYPES; type++) {
      if (found.ofType(type).blocks() > 0) {
        types.put(InspectCommand.typeName(type), tally(found.ofType(type)));
      }
    }
    facts.put("types", types);
    facts.put("files", found.files().stream().limit(fileLimit).map(InspectJson::file).toList());
    facts.put("fileCount", found.files().size());
    facts.put("damages", found.damages().stream().map(Damage::toString).toList());
  }

  private static Map<String, Object> tally(Tally tally) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("blocks", tally.blocks());
    json.put("payloadBytes", tally.payloadBytes());
    return json;
  }

  private static Map<String, Object> stored(Stored block) {
    Map<String, Object> key = new LinkedHashMap<>();
    key.put("file", block.key().file());
    key.put("offset", block.key().offset());
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("key", key);
    json.put("sequence", block.sequence());
    json.put("region", block.region());
    json.put("regionMillis", block.regionMillis());
    return json;
  }

  private static Map<String, Object> file(FileUsage file) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("file", file.file());
    json.put("blocks", file.blocks());
    json.put("payloadBytes", file.payloadBytes());
    return json;
  }

  @Override
  public String toString() {
    return Json.of(facts);
  }
}
