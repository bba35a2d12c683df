// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.mob.MobFileName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreFileNamesTest {

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String REGION = "fedcba9876543210fedcba9876543210";

  private static final String OLD_MOB = "d41d8cd98f00b204e9800998ecf8427e20241122" + FILE;
  private static final String MOB = OLD_MOB + "_" + REGION;

  @ParameterizedTest
  @ValueSource(
      strings = {
        FILE,
        FILE + "_SeqId_12_",
        FILE + "_del",
        "a",
        "",
        "name.of-a-test",
        "a name that is long and has a dot. But no region",
        "table=no-link",
        MOB
      })
  void aFileIsWhatItsNameSays(String name) {
    assertThat(StoreFileNames.isReference(name)).isFalse();
    assertThat(StoreFileNames.physical(name)).isSameAs(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {FILE, FILE + "_SeqId_12_", "0123"})
  void aReferenceIsToAFile(String file) {
    String reference = file + "." + REGION;

    assertThat(StoreFileNames.isReference(reference)).isTrue();
    assertThat(StoreFileNames.physical(reference)).isEqualTo(file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "table=",
        "ns=table=",
        "ta.ble=",
        "db.users=",
        "ns=db.users=",
        "2024.events=",
        "fb.feed=",
        "\u0442\u0430\u0431\u043b\u0438\u0446\u0430="
      })
  void aLinkLeadsToAFile(String table) {
    for (String file : List.of(FILE, FILE + "_SeqId_12_")) {
      String link = table + REGION + "-" + file;

      assertThat(StoreFileNames.isReference(link)).isFalse();
      assertThat(StoreFileNames.physical(link)).isEqualTo(file);
      assertThat(StoreFileNames.parentRegion(link)).isNull();
    }
  }

  /** As a daughter of a cloned region has them. */
  @ParameterizedTest
  @ValueSource(strings = {"table=", "ns=ta.ble=", "db.users="})
  void aReferenceToALinkLeadsToItsFile(String table) {
    String reference = table + REGION + "-" + FILE + "." + FILE;

    assertThat(StoreFileNames.isReference(reference)).isTrue();
    assertThat(StoreFileNames.physical(reference)).isEqualTo(FILE);
    assertThat(StoreFileNames.parentRegion(reference)).isEqualTo(FILE);
  }

  @Test
  void theMetaTablesRegionIsNoHash() {
    assertThat(StoreFileNames.physical(FILE + ".1588230740")).isEqualTo(FILE);
  }

  /** Each of these is a file of its own, whatever its table is called. */
  @ParameterizedTest
  @ValueSource(strings = {"t1", "db.users", "orders.v2", "fb.feed", "ns:db.users", "0.x"})
  void linksToDifferentFilesAreDifferentFiles(String table) {
    TableName name = TableName.valueOf(table);
    String one = HFileLink.createHFileLinkName(name, REGION, FILE);
    String other = HFileLink.createHFileLinkName(name, REGION, REGION);

    assertThat(StoreFileNames.physical(one)).isNotEqualTo(StoreFileNames.physical(other));
  }

  @ParameterizedTest
  @ValueSource(strings = {MOB, OLD_MOB})
  void aMobFileIsKnownByItsName(String name) {
    assertThat(StoreFileNames.isMob(name)).isTrue();
  }

  @Test
  void hbaseNamesItsMobFilesSo() {
    String name = MobFileName.create(new byte[] {1}, "20241122", FILE, REGION).getFileName();
    assertThat(StoreFileNames.isMob(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        FILE,
        FILE + "_SeqId_12_",
        FILE + "." + REGION,
        "table=" + REGION + "-" + FILE,
        "ns=a-rather-long-name-of-a-table=" + REGION + "-" + FILE,
        OLD_MOB + "-" + REGION,
        OLD_MOB + "0"
      })
  void anyOtherFileIsNoMobFile(String name) {
    assertThat(StoreFileNames.isMob(name)).isFalse();
  }
}
