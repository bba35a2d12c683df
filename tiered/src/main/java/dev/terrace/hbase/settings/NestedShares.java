// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.settings;

import dev.terrace.api.Quota;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/**
 * Shares of families, tables and namespaces in one tier, by name. Each is a part of the next one
 * that covers it: a family's of its table's, a table's of its namespace's.
 */
public final class NestedShares {

  /** The name of each table that no other name covers, but for HBase's own. */
  public static final String EACH_OTHER = "*";

  private static final String OF_NAMESPACE = ":*";
  private static final String OF_HBASE = "hbase:";

  /** Families, then tables, then namespaces. */
  private static final Comparator<String> INNER_FIRST =
      Comparator.comparingInt(name -> -covering(name).size());

  private NestedShares() {}

  /** The name of a table with its namespace, which may be the default one. */
  public static String withNamespace(String table) {
    return table.contains(":") ? table : "default:" + table;
  }

  /** The names that cover one, the nearest first: itself, a family's table, the namespace. */
  public static List<String> covering(String name) {
    int family = name.indexOf('/');
    String table = family < 0 ? name : name.substring(0, family);
    String namespace = table.substring(0, table.indexOf(':') + 1) + EACH_OTHER;
    return Stream.of(name, table, namespace).distinct().toList();
  }

  /** The nearest name that covers another one, if it has a share. */
  static Optional<String> whole(String name, Set<String> names) {
    return covering(name).stream().skip(1).filter(names::contains).findFirst();
  }

  public static boolean isNamespace(String name) {
    return name.endsWith(OF_NAMESPACE);
  }

  /** New quotas of the names, from their guaranteed and their maximum shares. */
  static Map<String, Quota> quotas(Map<String, Double> least, Map<String, Double> most) {
    Map<String, Quota> quotas = new ConcurrentSkipListMap<>();
    Stream.concat(least.keySet().stream(), most.keySet().stream())
        .distinct()
        .sorted(INNER_FIRST.reversed())
        .forEach(
            name ->
                quotas.put(
                    name,
                    new Quota(
                        least.getOrDefault(name, 0.0),
                        most.getOrDefault(name, 1.0),
                        whole(name, quotas.keySet()).map(quotas::get).orElse(null))));
    return quotas;
  }

  /**
   * The quota that a family counts for; made for its table if only {@value #EACH_OTHER} covers it.
   *
   * @param quotas by name
   * @param family null if it is unknown
   */
  public static Quota quota(Map<String, Quota> quotas, String table, String family) {
    for (String name : covering(family == null ? table : table + "/" + family)) {
      if (quotas.containsKey(name)) {
        return quotas.get(name);
      }
    }
    Quota each = quotas.get(EACH_OTHER);
    return each == null || table.startsWith(OF_HBASE)
        ? Quota.NONE
        : quotas.computeIfAbsent(table, name -> new Quota(each.min(), each.max()));
  }

  /** How much is guaranteed in all: a part within its whole counts once. */
  static double guaranteed(Map<String, Double> least) {
    Map<String, Double> parts = new HashMap<>();
    double sum = 0;
    for (String name : least.keySet().stream().sorted(INNER_FIRST).toList()) {
      double guaranteed = Math.max(least.get(name), parts.getOrDefault(name, 0.0));
      Optional<String> whole = whole(name, least.keySet());
      whole.ifPresent(of -> parts.merge(of, guaranteed, Double::sum));
      sum += whole.isEmpty() ? guaranteed : 0;
    }
    return sum;
  }
}
