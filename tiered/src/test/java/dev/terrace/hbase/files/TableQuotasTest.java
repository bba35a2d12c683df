// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.api.Quota;
import dev.terrace.hbase.LogLines;
import dev.terrace.hbase.files.FileOrigin.Extent;
import dev.terrace.hbase.settings.ReadSettings;
import dev.terrace.hbase.settings.SiteValues;
import dev.terrace.hbase.settings.TerraceSettings;
import dev.terrace.tiered.HeapTier;
import dev.terrace.tiered.LentStrings;
import dev.terrace.tiered.Movement;
import dev.terrace.tiered.TieredCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which quota a file counts for. */
class TableQuotasTest {

  private final List<Path> open = new ArrayList<>();
  private final FileCatalog known = OpenPaths.known(open::stream);
  private final HeapTier dram = new HeapTier("dram");
  private final HeapTier ssd = new HeapTier("ssd");
  private final List<HeapTier> tiers = List.of(dram, ssd);
  private final TieredCache<String> cache =
      new TieredCache<>(
          FILES,
          tiers,
          new LentStrings(),
          Movement.standard(tiers, false, Map.of(), System::nanoTime, Runnable::run, 1 << 20));
  private final TableQuotas quotas = new TableQuotas(cache, known);

  @RegisterExtension final LogLines log = new LogLines(TableQuotas.class);

  private final Map<TableName, TableDescriptor> tables = new ConcurrentHashMap<>();
  private boolean fails;

  private final TableDescriptors descriptors =
      (TableDescriptors)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {TableDescriptors.class},
              (proxy, method, arguments) -> {
                if (fails) {
                  throw new IOException("no namenode");
                }
                return tables.get(arguments[0]);
              });

  private void create(String table, String family) {
    TableName name = TableName.valueOf(table);
    tables.put(
        name,
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
            .build());
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private static Path path(String namespace, String table, String family, String file) {
    return new Path(
        String.join("/", "/hbase/data", namespace, table, "r-" + namespace + table, family, file));
  }

  private void know(Path file) {
    assertThat(file(file.getName()).name()).as("it is cached").isNotEmpty();
    known.completed(file, new Extent(1, 100));
  }

  private static TerraceSettings shares(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    conf.set(TerraceSettings.DRAM_SIZE.key(), "1g");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set("hbase.terrace.tables." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return ReadSettings.of(new SiteValues(conf));
  }

  @Test
  void aFileCountsForItsFamilyAndAllThatCoverIt() {
    know(path("default", "orders", "info", "a"));
    know(path("default", "orders", "items", "b"));
    know(path("sales", "orders", "info", "c"));
    know(path("sales", "carts", "info", "d"));
    know(path("other", "t", "f", "e"));
    quotas.apply(
        shares(
            "min",
            "dram:orders=0.2,dram:orders/items=0.1",
            "max",
            "dram:orders=0.5,dram:sales:orders=0,dram:sales:*=0.3"));

    assertThat(dram.quota("a")).extracting(Quota::min, Quota::max).containsExactly(0.2, 0.5);
    assertThat(dram.quota("b")).extracting(Quota::min, Quota::max).containsExactly(0.1, 1.0);
    assertThat(dram.quota("c")).extracting(Quota::min, Quota::max).containsExactly(0.0, 0.0);
    assertThat(dram.quota("d")).extracting(Quota::min, Quota::max).containsExactly(0.0, 0.3);
    assertThat(dram.quota("e")).isSameAs(Quota.NONE);
    assertThat(ssd.quota("a")).isSameAs(Quota.NONE);

    dram.quota("b").add(70);
    assertThat(dram.quota("a").bytes()).as("of the table's quota").isEqualTo(70);
    dram.quota("c").add(5);
    assertThat(dram.quota("d").bytes()).as("of the namespace's quota").isEqualTo(5);
    assertThat(dram.quota("b").full(500, 1_000)).as("the tightest").isSameAs(dram.quota("a"));
  }

  @Test
  void eachTableThatNoEntryNamesHasAQuotaOfItsOwn() {
    know(path("default", "orders", "info", "a"));
    know(path("default", "orders", "items", "b"));
    know(path("sales", "carts", "info", "c"));
    know(path("logs", "t", "f", "d"));
    know(path("logs", "u", "f", "e"));
    know(path("hbase", "meta", "info", "m"));
    quotas.apply(shares("max", "ssd:*=0.1,ssd:orders/info=0.5,ssd:sales:*=1"));

    assertThat(ssd.quota("a").max()).isEqualTo(0.5);
    assertThat(ssd.quota("b").max()).as("the table's other families").isEqualTo(0.1);
    assertThat(ssd.quota("c").max()).as("of a namespace that is named").isEqualTo(1);
    assertThat(ssd.quota("d").max()).isEqualTo(0.1);
    assertThat(ssd.quota("e").max()).isEqualTo(0.1);
    assertThat(ssd.quota("e")).isNotSameAs(ssd.quota("d"));
    assertThat(dram.quota("d")).isSameAs(Quota.NONE);
    assertThat(ssd.quota("m")).as("of HBase itself").isSameAs(Quota.NONE);
  }

  @Test
  void theTableOfAFileIsLearntLater() {
    quotas.apply(shares("max", "ssd:orders/info=0"));
    assertThat(ssd.quota("a")).isSameAs(Quota.NONE);
    assertThat(file("a").name()).as("it is cached").isNotEmpty();
    quotas.learn();
    assertThat(ssd.quota("a")).isSameAs(Quota.NONE);

    open.add(path("default", "orders", "info", "a"));
    known.learnOpenFiles();
    quotas.learn();
    assertThat(ssd.quota("a").max()).isZero();
  }

  @Test
  void aFileThatAnotherTableReadsCountsForThat() {
    quotas.apply(shares("max", "ssd:orders/info=0,ssd:logs/info=0.5"));
    open.add(path("default", "orders", "info", "a"));
    known.learnOpenFiles();
    quotas.learn();
    assertThat(ssd.quota("a").max()).isZero();

    open.set(0, path("default", "logs", "info", "a"));
    known.open().walk();
    quotas.learn();
    assertThat(ssd.quota("a").max()).isEqualTo(0.5);
  }

  @Test
  void sharesAreShownInBytes() {
    dram.capacityBytes(1_000);
    know(path("default", "orders", "info", "a"));
    assertThat(quotas.figures(Map.of())).isEmpty();
    quotas.apply(shares("min", "dram:orders=0.2"));
    dram.quota("a").add(70);

    Map<String, Map<String, Long>> lookups =
        Map.of(
            "default:orders info", Map.of("dram", 1_024L, "misses", 7L),
            "default:orders items", Map.of("dram", 2_048L, "ssd", 9L),
            "sales:orders info", Map.of("dram", 4_096L));
    assertThat(quotas.figures(lookups))
        .containsEntry(
            "dram",
            Map.of(
                "default:orders",
                Map.of("min", 200L, "max", 1_000L, "bytes", 70L, "hits", 3_072L, "refused", 0L)))
        .containsEntry("ssd", Map.of());

    quotas.apply(TerraceSettings.OF_NO_TIER);
    assertThat(dram.quota("a")).isSameAs(Quota.NONE);
    assertThat(quotas.figures(Map.of())).containsEntry("dram", Map.of());
  }

  @Test
  void whatIsMistypedIsReportedOnce() {
    create("orders", "info");
    create("sales:orders", "info");
    quotas.apply(
        shares(
            "max",
            "dram:orders=0.5,dram:sales:orders/info=0.5,dram:order=0.5,dram:orders/inf=0.5"));
    quotas.warnOfUnknown(descriptors);
    quotas.warnOfUnknown(descriptors);

    assertThat(log.lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).startsWith("WARN hbase.terrace.tables."))
        .anySatisfy(line -> assertThat(line).contains("default:order,"))
        .anySatisfy(line -> assertThat(line).contains("default:orders/inf,"));
  }

  @Test
  void whatCannotBeReadNowIsNotTakenForAbsent() {
    create("orders", "info");
    quotas.apply(shares("max", "dram:orders=0.5"));
    fails = true;
    assertThatThrownBy(() -> quotas.warnOfUnknown(descriptors))
        .isInstanceOf(UncheckedIOException.class);
    fails = false;
    quotas.warnOfUnknown(descriptors);

    assertThat(log.lines()).isEmpty();
  }
}
