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
package dev.terrace.hbase.status;

import dev.terrace.api.PathStats;
import dev.terrace.api.TierStats;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.openmbean.ArrayType;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularData;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;

/** The figures of all tiers and of their paths, in the form that JMX carries. */
final class ReportedTiers {

  private static final String NAME = "name";
  private static final String KEY = "key";
  private static final String VALUE = "value";

  private final CompositeType rowType;
  private final TabularType countsType;
  private final CompositeType tierType;
  private final CompositeType pathType;

  ReportedTiers() {
    try {
      rowType =
          new CompositeType(
              "count",
              "how often something occurred",
              new String[] {KEY, VALUE},
              new String[] {"what", "how often"},
              new OpenType<?>[] {SimpleType.STRING, SimpleType.LONG});
      countsType =
          new TabularType("counts", "what occurred, and how often", rowType, new String[] {KEY});
      tierType = tierType();
      pathType = pathType();
    } catch (OpenDataException e) {
      throw new IllegalStateException("the table of figures is wrong", e);
    }
  }

  private CompositeType tierType() throws OpenDataException {
    Map<String, String> help = new LinkedHashMap<>();
    Map<String, OpenType<?>> types = new LinkedHashMap<>();
    help.put(NAME, "The tier's name.");
    types.put(NAME, SimpleType.STRING);
    add(Figures.OF_A_TIER, help, types);
    for (Breakdown<?, ?> breakdown : Figures.BREAKDOWNS_OF_A_TIER) {
      help.put(breakdown.name(), breakdown.help());
      types.put(breakdown.name(), countsType);
    }
    return type("tier", help, types);
  }

  private static CompositeType pathType() throws OpenDataException {
    Map<String, String> help = new LinkedHashMap<>();
    help.put("tier", "The tier's name.");
    help.put("path", "The directory, as it was configured.");
    help.put("state", "What becomes of it.");
    help.put("since", "When that was first seen.");
    help.put("why", "What failed; empty in service.");
    Map<String, OpenType<?>> types = new LinkedHashMap<>();
    help.keySet().forEach(name -> types.put(name, SimpleType.STRING));
    add(Figures.OF_A_PATH, help, types);
    return type("path", help, types);
  }

  private static void add(
      List<? extends Figure<?>> figures, Map<String, String> help, Map<String, OpenType<?>> types) {
    for (Figure<?> figure : figures) {
      help.put(figure.jmxName(), figure.help());
      types.put(figure.jmxName(), figure.isWhole() ? SimpleType.LONG : SimpleType.DOUBLE);
    }
  }

  private static CompositeType type(
      String name, Map<String, String> help, Map<String, OpenType<?>> types)
      throws OpenDataException {
    return new CompositeType(
        name,
        "the figures of a " + name,
        help.keySet().toArray(new String[0]),
        help.values().toArray(new String[0]),
        types.values().toArray(new OpenType<?>[0]));
  }

  /** The type of {@link #of}. */
  OpenType<?> type() {
    return arrayOf(tierType);
  }

  /** The type of {@link #pathsOf}. */
  OpenType<?> typeOfPaths() {
    return arrayOf(pathType);
  }

  private static OpenType<?> arrayOf(CompositeType element) {
    try {
      return new ArrayType<CompositeData[]>(1, element);
    } catch (OpenDataException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The tiers in the order of the map. */
  CompositeData[] of(Map<String, TierStats> tiers) {
    return tiers.entrySet().stream()
        .map(tier -> report(tier.getKey(), tier.getValue()))
        .toArray(CompositeData[]::new);
  }

  private CompositeData report(String name, TierStats stats) {
    Map<String, Object> items = new LinkedHashMap<>();
    items.put(NAME, name);
    for (Figure<TierStats> figure : Figures.OF_A_TIER) {
      items.put(figure.jmxName(), figure.jmxValue(stats));
    }
    try {
      for (Breakdown<TierStats, ?> breakdown : Figures.BREAKDOWNS_OF_A_TIER) {
        items.put(breakdown.name(), table(breakdown.jmxValue(stats)));
      }
      return new CompositeDataSupport(tierType, items);
    } catch (OpenDataException e) {
      throw new IllegalStateException("tier=" + name, e);
    }
  }

  /** The paths of the tiers, in the order of the map. */
  CompositeData[] pathsOf(Map<String, TierStats> tiers) {
    return tiers.entrySet().stream()
        .flatMap(tier -> tier.getValue().paths().stream().map(path -> report(tier.getKey(), path)))
        .toArray(CompositeData[]::new);
  }

  private CompositeData report(String tier, PathStats path) {
    Map<String, Object> items = new LinkedHashMap<>();
    items.put("tier", tier);
    items.put("path", path.path());
    items.put("state", path.now().state().name());
    items.put("since", path.now().since().truncatedTo(ChronoUnit.SECONDS).toString());
    items.put("why", path.now().why());
    Figures.OF_A_PATH.forEach(figure -> items.put(figure.jmxName(), figure.jmxValue(path)));
    try {
      return new CompositeDataSupport(pathType, items);
    } catch (OpenDataException e) {
      throw new IllegalStateException("path=" + path.path(), e);
    }
  }

  private TabularData table(Map<String, Long> counts) throws OpenDataException {
    TabularData table = new TabularDataSupport(countsType);
    for (Map.Entry<String, Long> count : counts.entrySet()) {
      table.put(
          new CompositeDataSupport(rowType, Map.of(KEY, count.getKey(), VALUE, count.getValue())));
    }
    return table;
  }
}
