// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.reads;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.junit.jupiter.api.Test;

/** The fuzzer of scans uses each filter and each comparator that HBase has for clients. */
class RandomFiltersTest {

  private static final int FILTERS = 1_000;
  private static final Pattern NAME =
      Pattern.compile("org\\.apache\\.hadoop\\.hbase\\.filter\\.[A-Za-z]+");

  @Test
  void eachFilterOfHBasesIsUsed() throws Exception {
    RandomFilters filters = new RandomFilters(new Random(1), false);
    Set<String> used = new TreeSet<>();
    for (int i = 0; i < FILTERS; i++) {
      // A filter names the classes in it.
      Matcher names = NAME.matcher(ProtobufUtil.toFilter(filters.next()).toString());
      while (names.find()) {
        used.add(names.group());
      }
    }
    assertThat(used).containsAll(ofHBase());
  }

  /** Those that a server reads from a request, without the one that it wraps them in. */
  private static Set<String> ofHBase() {
    return new ClassFileImporter()
        .importPackagesOf(Filter.class).stream()
            .filter(each -> each.isAssignableTo(Filter.class) || isComparator(each))
            .filter(each -> each.tryGetMethod("parseFrom", byte[].class).isPresent())
            .filter(each -> !each.getModifiers().contains(JavaModifier.ABSTRACT))
            .filter(each -> !each.isAnnotatedWith(Deprecated.class))
            .filter(each -> isOfClient(each) && !each.getSimpleName().equals("FilterWrapper"))
            .map(JavaClass::getName)
            .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isComparator(JavaClass each) {
    return each.isAssignableTo(ByteArrayComparable.class);
  }

  private static boolean isOfClient(JavaClass each) {
    return each.getSource().orElseThrow().getUri().toString().contains("/hbase-client-");
  }
}
