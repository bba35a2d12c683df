// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Patience;
import dev.terrace.bench.load.CheckedTable;
import dev.terrace.bench.server.HBaseServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * Checks of a running server with tiers: what it keeps of a table, what leaves first, and how large
 * a tier is.
 *
 * @param connection to the server
 * @param other a table that is larger than DRAM and PMem together
 */
record TableControl(HBaseServer server, Connection connection, LoadedTable other) {

  private static final CheckedTable PINNED = CheckedTable.ordered("pinned", 3_000, 1_000, 1, 1);
  private static final CheckedTable AGING = CheckedTable.ordered("aging", 9_000, 1_000, 1, 1);
  private static final String PIN = "hbase.terrace.tables.min";
  private static final String HOT_AGE = "hbase.hstore.datatiering.hot.age.millis";

  /** Pins a table and takes the pin away, while another one is read. */
  void assertPinnedTableStaysInDram() throws IOException {
    LoadedTable pinned = new LoadedTable(server, connection, PINNED);
    pinned.write();
    change(Map.of(PIN, "dram:pinned=0.45"));
    long keptBytes = figure("default:pinned", "min");
    assertThat(keptBytes).isPositive();
    pinned.readUntil(
        "the table has its share", () -> figure("default:pinned", "bytes") >= keptBytes);
    server.await(
        "the page shows it, and where it is set",
        Patience.LIMIT,
        () -> isSet(PIN, "dram:default:pinned=0.45"));
    for (int i = 0; i < 3; i++) {
      other.read();
      assertThat(figure("default:pinned", "bytes")).isGreaterThanOrEqualTo(keptBytes);
    }

    change(Map.of());
    assertThat(attribute("TableShares").toString()).doesNotContain("pinned");
    other.readUntil(
        "the table lost its share", () -> bytesIn("dram", "default:pinned") < keptBytes / 2);
  }

  /** Lets the data of a table grow cold. */
  void assertColdFilesLeaveFullTiers() throws IOException {
    TableDescriptor hot =
        TableDescriptorBuilder.newBuilder(AGING.descriptor(HConstants.DEFAULT_BLOCKSIZE))
            .setValue(
                "hbase.hstore.engine.class",
                "org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine")
            .setValue("hbase.hstore.datatiering.type", "TIME_RANGE")
            .setValue(HOT_AGE, Long.toString(Duration.ofDays(1).toMillis()))
            .build();
    LoadedTable aging = new LoadedTable(server, connection, AGING);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(hot);
    }
    LoadedTable.fill(connection, AGING);
    // Without a pin the other table might take its place before it is cold.
    change(Map.of(PIN, "dram:aging=0.45"));
    long keptBytes = figure("default:aging", "min");
    assertThat(keptBytes).isPositive();
    aging.readUntil(
        "it has its share of DRAM, and is in the tier with room",
        () -> figure("default:aging", "bytes") >= keptBytes && bytesIn("ssd", "default:aging") > 0);
    try (Admin admin = connection.getAdmin()) {
      admin.modifyTable(TableDescriptorBuilder.newBuilder(hot).setValue(HOT_AGE, "1").build());
    }
    // In spite of the pin. A block that HBase has looked at since then is like others again.
    other.readUntil(
        "it left DRAM, which is full", () -> bytesIn("dram", "default:aging") < keptBytes / 2);
    assertThat(bytesIn("ssd", "default:aging")).as("where there is room").isPositive();
    change(Map.of());
  }

  /** Lets the SSD tier grow, and shrink again, while the other table is read. */
  void assertSsdTierChangesItsSize() throws IOException {
    assertSsdTierBecomes("100m", 100L << 20);
    assertSsdTierBecomes("64m", 64L << 20);
  }

  private void assertSsdTierBecomes(String size, long sizeBytes) throws IOException {
    change(Map.of("hbase.terrace.ssd.size", size));
    other.readUntil(
        "the SSD tier has " + size,
        () -> TwoServers.tier(server, "ssd").capacityBytes() == sizeBytes);
    server.await(
        "the page shows the setting", Patience.LIMIT, () -> isSet("hbase.terrace.ssd.size", size));
    other.read();
    assertThat(bytesIn("ssd", "default:" + other.table().name())).isPositive();
  }

  /** Whether the page has the setting as one of the server's own file. */
  private boolean isSet(String key, String value) throws IOException {
    URI lists = server.regionServerPage().resolve("/terrace/lists.json");
    JsonObject setting =
        JsonParser.parseString(IOUtils.toString(lists, StandardCharsets.UTF_8))
            .getAsJsonObject()
            .getAsJsonObject("settings")
            .getAsJsonObject(key);
    return setting.get("value").getAsString().equals(value)
        && setting.get("from").getAsString().equals("hbase-site.xml");
  }

  private JsonElement attribute(String name) throws IOException {
    return BeanOperations.attribute(server, name);
  }

  /** Reloads the server's settings, with some added to those of its start. */
  private void change(Map<String, String> added) throws IOException {
    Path file = server.log().resolveSibling("conf").resolve("hbase-site.xml");
    Configuration site = new Configuration(false);
    site.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    site.unset(PIN);
    added.forEach(site::set);
    try (OutputStream out = Files.newOutputStream(file)) {
      site.writeXml(out);
    }
    try (Admin admin = connection.getAdmin()) {
      for (ServerName name : admin.getRegionServers()) {
        admin.updateConfiguration(name);
      }
    }
  }

  private long figure(String table, String name) throws IOException {
    JsonElement shares = value(value(attribute("TableShares"), "dram"), table);
    return value(shares, name).getAsLong();
  }

  private long bytesIn(String tier, String table) throws IOException {
    JsonElement bytes = value(value(attribute("CachedTables"), tier), table);
    return bytes == null ? 0 : bytes.getAsLong();
  }

  /** The value of a key in a map as HBase's page writes it; null if it is absent. */
  private static JsonElement value(JsonElement map, String key) {
    for (JsonElement entry : map.getAsJsonArray()) {
      if (entry.getAsJsonObject().get("key").getAsString().equals(key)) {
        return entry.getAsJsonObject().get("value");
      }
    }
    return null;
  }
}
