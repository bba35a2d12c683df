// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region;

import static dev.terrace.api.TestFiles.FILES;
import static dev.terrace.api.TestFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.api.Access;
import dev.terrace.api.CountedBlock;
import dev.terrace.api.Payloads;
import dev.terrace.api.PutOutcome;
import dev.terrace.api.TierFault;
import dev.terrace.region.cipher.BlockCipher;
import dev.terrace.region.cipher.RefusedNonces;
import dev.terrace.region.device.SimulatedDevice;
import dev.terrace.region.device.SimulatedDisk;
import dev.terrace.region.format.StoredForm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encrypted blocks beside plain ones, on memory and in files. */
class EncryptedBlocksTest extends TierOnSimulatedDisk {

  private static final String SECRET = "secret";

  private final byte[] key = BlockCipher.newKey();
  private NumberedBlocks secrets;
  private NumberedBlocks plain;
  private SimulatedDisk from = disk;

  private void open(boolean mapped, byte[] withKey, boolean encrypting) {
    openWith(mapped, withKey == null ? null : new BlockCipher(withKey), encrypting);
  }

  private void openWith(boolean mapped, BlockCipher cipher, boolean encrypting) {
    SimulatedDevice device = new SimulatedDevice(from, mapped, 1);
    if (cipher != null) {
      device.encrypting(cipher);
    }
    make(device, RegionConfig.named("test", FILES));
    file(SECRET).setEncrypted(encrypting);
    secrets = new NumberedBlocks(tier, SECRET, BLOCK);
    plain = new NumberedBlocks(tier, "plain", BLOCK);
    tier.start();
  }

  private boolean diskHas(String file, int number) {
    byte[] line = Arrays.copyOf(Payloads.of(file, number, BLOCK), 32);
    String wanted = new String(line, StandardCharsets.ISO_8859_1);
    for (int slot = 0; slot < disk.regions(); slot++) {
      ByteBuffer region = disk.region(slot);
      byte[] bytes = new byte[region.capacity()];
      region.get(0, bytes);
      if (new String(bytes, StandardCharsets.ISO_8859_1).contains(wanted)) {
        return true;
      }
    }
    return false;
  }

  private List<StoredRecord> found() {
    return StoredRecord.all(from, SECRET);
  }

  private StoredRecord found(int number) {
    return StoredRecord.first(from, SECRET, number);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void noPlainByteLiesOnTheDevice(boolean mapped) {
    open(mapped, key, true);
    assertThat(secrets.putAll(0, 20)).isEqualTo(20);
    assertThat(plain.putAll(0, 20)).isEqualTo(20);
    assertThat(secrets.readAll(0, 20)).isEqualTo(20);
    seal();
    assertThat(secrets.readAll(0, 20)).isEqualTo(20);
    assertThat(plain.readAll(0, 20)).isEqualTo(20);
    for (int i = 0; i < 20; i++) {
      assertThat(diskHas(SECRET, i)).isFalse();
      assertThat(diskHas("plain", i)).isTrue();
    }
    ByteBuffer head = ByteBuffer.allocate(33);
    assertThat(tier.head(file(SECRET), 7, head)).isTrue();
    assertThat(head.array()).isEqualTo(Arrays.copyOf(Payloads.of(SECRET, 7, BLOCK), 33));
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aRestartServesThem(boolean mapped) throws InterruptedException {
    open(mapped, key, true);
    secrets.putAll(0, 20);
    plain.putAll(0, 20);
    close();
    open(mapped, key, true);
    assertThat(secrets.readAll(0, 20)).isEqualTo(20);
    assertThat(plain.readAll(0, 20)).isEqualTo(20);
    close();
    open(mapped, BlockCipher.newKey(), true);
    assertThat(secrets.readAll(0, 20)).isZero();
    assertThat(plain.readAll(0, 20)).isEqualTo(20);
    assertThat(secrets.count(TierFault.CORRUPT_BLOCK)).isEqualTo(20);
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void reclaimsMoveThemAsTheyAre(boolean mapped) {
    open(mapped, key, true);
    secrets.putAll(0, 5);
    seal();
    byte[] before = found(3).payload();
    int put = 0;
    while (tier.stats().writes().rewrittenBytes() == 0 && put < 400) {
      tier.touch(file(SECRET), 3);
      plain.put(put++);
    }
    seal();
    assertThat(tier.stats().writes().rewrittenBytes()).isPositive();
    assertThat(secrets.read(3)).isTrue();
    assertThat(found().stream().filter(each -> each.entry().offset() == 3))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.payload()).isEqualTo(before));
  }

  /** Each number of a nonce is used once, over restarts and lives of regions. */
  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void noNonceIsUsedTwice(boolean mapped) throws InterruptedException {
    Set<ByteBuffer> nonces = new HashSet<>();
    int stored = 0;
    for (int start = 0; start < 3; start++) {
      open(mapped, key, true);
      for (int i = 0; i < 300; i++) {
        int number = start * 300 + i;
        assertThat(secrets.put(number)).isEqualTo(PutOutcome.STORED);
        stored++;
        if (i % 5 == 4) {
          seal();
          for (StoredRecord each : found()) {
            nonces.add(ByteBuffer.wrap(StoredForm.nonce(ByteBuffer.wrap(each.payload()))));
          }
        }
      }
      close();
    }
    assertThat(nonces).hasSize(stored);
  }

  private void forgeAndMiss(boolean mapped, UnaryOperator<byte[]> forgery) throws Exception {
    open(mapped, key, true);
    secrets.putAll(0, 4);
    close();
    StoredRecord victim = found(2);
    victim.forge(forgery.apply(victim.payload()), StoredForm.ENCRYPTED);
    open(mapped, key, true);
    assertThat(secrets.read(2)).isFalse();
    assertThat(secrets.read(1)).isTrue();
    assertThat(secrets.count(TierFault.CORRUPT_BLOCK)).isOne();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aBlockInThePlaceOfAnotherIsAMiss(boolean mapped) throws Exception {
    forgeAndMiss(mapped, payload -> found(1).payload());
  }

  /** What the tag is for: the same forgery of plain blocks is served. */
  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aPlainBlockInThePlaceOfAnotherIsServed(boolean mapped) throws Exception {
    open(mapped, null, false);
    secrets.putAll(0, 4);
    close();
    found(2).forge(found(1).payload(), StoredForm.PLAIN);
    open(mapped, null, false);
    CountedBlock foreign = tier.get(file(SECRET), 2, Access.CACHING);
    assertThat(foreign.bytes()).isEqualTo(Payloads.of(SECRET, 1, BLOCK));
    foreign.release();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aFlippedBitIsAMiss(boolean mapped) throws Exception {
    forgeAndMiss(
        mapped,
        payload -> {
          payload[payload.length / 2] ^= 4;
          return payload;
        });
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aWrongTagIsAMiss(boolean mapped) throws Exception {
    forgeAndMiss(
        mapped,
        payload -> {
          Arrays.fill(payload, payload.length - StoredForm.TAG_BYTES, payload.length, (byte) 0);
          return payload;
        });
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void aWrongLengthIsAMiss(boolean mapped) throws Exception {
    forgeAndMiss(
        mapped,
        payload -> {
          payload[0]++;
          return payload;
        });
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void withoutAKeyNothingIsStored(boolean mapped) {
    open(mapped, null, true);
    assertThat(secrets.put(0)).isEqualTo(PutOutcome.ENCRYPTED);
    assertThat(plain.put(0)).isEqualTo(PutOutcome.STORED);
    assertThat(secrets.read(0)).isFalse();
  }

  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void whereNoncesAreRefusedNothingIsEncryptedAndOldBlocksAreRead(boolean mapped) throws Exception {
    open(mapped, key, true);
    assertThat(secrets.putAll(0, 10)).isEqualTo(10);
    close();

    BlockCipher cipher = RefusedNonces.in(() -> new BlockCipher(key));
    assertThat(cipher.fault()).hasValueSatisfying(why -> assertThat(why).contains("nonces"));
    openWith(mapped, cipher, true);
    assertThat(secrets.put(20)).isEqualTo(PutOutcome.ENCRYPTED);
    assertThat(plain.put(0)).isEqualTo(PutOutcome.STORED);
    assertThat(secrets.readAll(0, 10)).isEqualTo(10);
    assertThat(new BlockCipher(key).fault()).isEmpty();
  }

  /** They have one data key, and their next records have the same sequences. */
  @ParameterizedTest(name = "mapped={0}")
  @ValueSource(booleans = {true, false})
  void copiesOfADiskEncryptUnderDifferentKeys(boolean mapped) throws Exception {
    open(mapped, key, true);
    assertThat(secrets.putAll(0, 10)).isEqualTo(10);
    close();
    List<StoredRecord> ofBoth = new ArrayList<>();
    for (SimulatedDisk each : List.of(disk, disk.copy())) {
      from = each;
      open(mapped, key, true);
      assertThat(secrets.readAll(0, 10)).as("those from before").isEqualTo(10);
      assertThat(secrets.putAll(10, 20)).isEqualTo(10);
      close();
      ofBoth.add(found(10));
      open(mapped, key, true);
      assertThat(secrets.readAll(0, 20)).isEqualTo(20);
      close();
    }
    assertThat(ofBoth.get(0).entry().sequence()).isEqualTo(ofBoth.get(1).entry().sequence());
    assertThat(ofBoth)
        .extracting(each -> StoredForm.salt(ByteBuffer.wrap(each.payload())))
        .doesNotHaveDuplicates();
  }
}
