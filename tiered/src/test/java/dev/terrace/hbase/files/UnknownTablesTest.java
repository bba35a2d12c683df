// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.terrace.hbase.LogLines;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Shares of tables that do not exist. */
class UnknownTablesTest {

  @RegisterExtension final LogLines log = new LogLines(UnknownTables.class);

  private final Map<TableName, TableDescriptor> tables = new ConcurrentHashMap<>();
  private final UnknownTables unknown = new UnknownTables();
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

  @Test
  void whatIsMistypedIsReportedOnce() throws IOException {
    create("orders", "info");
    create("sales:orders", "info");
    Set<String> names =
        Set.of("default:orders", "sales:orders/info", "default:order", "default:orders/inf");
    unknown.check(names, descriptors);
    unknown.check(names, descriptors);

    assertThat(log.lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).startsWith("WARN hbase.terrace.tables."))
        .anySatisfy(line -> assertThat(line).contains("default:order,"))
        .anySatisfy(line -> assertThat(line).contains("default:orders/inf,"));
  }

  @Test
  void whatCannotBeReadNowIsNotTakenForAbsent() throws IOException {
    create("orders", "info");
    fails = true;
    assertThatThrownBy(() -> unknown.check(Set.of("default:orders"), descriptors))
        .isInstanceOf(IOException.class);
    fails = false;
    unknown.check(Set.of("default:orders"), descriptors);

    assertThat(log.lines()).isEmpty();
  }
}
