// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CacheFilesTest {

  private final CacheFiles files = new CacheFiles();

  @Test
  void aLookupMakesNoFile() {
    CacheFile none = files.find("file");

    assertThat(none.name()).isEqualTo("file");
    assertThat(none.hold()).isFalse();
    assertThat(files.all()).isEmpty();
  }

  @Test
  void aFileIsForgottenWithItsLastHolder() {
    CacheFile file = files.hold("file");
    assertThat(files.hold("file")).isSameAs(file);
    assertThat(files.find("file")).isSameAs(file);

    file.release();
    assertThat(files.find("file")).isSameAs(file);
    file.release();

    assertThat(files.all()).isEmpty();
    assertThat(file.hold()).isFalse();
  }

  @Test
  void aFileThatComesBackIsAnotherOne() {
    List<CacheFile> made = new ArrayList<>();
    files.whenNew(made::add);
    CacheFile first = files.hold("file");
    first.release();

    CacheFile second = files.hold("file");

    assertThat(second).isNotSameAs(first).hasSameHashCodeAs(first);
    assertThat(files.find("file")).isSameAs(second);
    assertThat(made).containsExactly(first, second);
    assertThat(BlockKey.hash(second, 1)).isEqualTo(BlockKey.hash("file".hashCode(), 1));
  }

  @Test
  void whoMakesAFileSeesItBeforeAllOthers() {
    List<Object> seen = new ArrayList<>();
    files.whenNew(file -> seen.add(file.table(this)));

    CacheFile made = files.hold("file", file -> seen.add(file.table(this, () -> "first")));
    assertThat(files.hold("file", file -> seen.add("not new"))).isSameAs(made);

    assertThat(seen).containsExactly("first", "first");
  }

  @Test
  void eachOwnerHasItsOwnTable() {
    CacheFile file = files.hold("file");
    assertThat(file.table(this)).isNull();
    assertThat(file.table(this, () -> "one")).isEqualTo("one");
    assertThat(file.table(files, () -> "other")).isEqualTo("other");
    assertThat(file.table(this, () -> "another")).isEqualTo("one");
    assertThat(file.table(this)).isEqualTo("one");
    assertThat(file.table(files)).isEqualTo("other");
  }

  @Test
  void untilMoreIsKnownAFileIsAsEncryptedAsItsCacheSays() {
    CacheFiles secret = new CacheFiles(true);
    CacheFile file = secret.hold("file");
    assertThat(file.isEncrypted()).isTrue();
    assertThat(secret.find("other").isEncrypted()).isTrue();
    assertThat(files.hold("file").isEncrypted()).isFalse();

    file.setEncrypted(false);
    assertThat(secret.find("file").isEncrypted()).isFalse();
  }

  @Test
  void aRecoveredOriginGoesToWhoeverReceivesIt() {
    CacheFile file = files.hold("file");
    file.recovered("first");
    assertThat(file.origin()).isEqualTo("first");

    List<String> received = new ArrayList<>();
    files.whenRecovered((recovered, origin) -> received.add(recovered + " " + origin));
    file.recovered("second");
    assertThat(received).containsExactly("file second");
    assertThat(file.origin()).isEqualTo("first");
  }
}
