// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Reads of a file on a disk that fails. */
class PatientReadTest {

  private static final Path FILE = Path.of("folder", "file");
  private static final byte[] BYTES = {1, 2, 3, 4};

  private int opened;
  private int paused;

  private PatientRead failing(int times) {
    return new PatientRead(
        file -> {
          if (opened++ < times) {
            throw new IOException("as asked");
          }
          return new ByteArrayInputStream(BYTES);
        },
        () -> paused++);
  }

  @Test
  void anErrorIsTriedAgain() throws IOException {
    assertThat(failing(0).read(FILE, 3)).contains(new byte[] {1, 2, 3});
    assertThat(paused).isZero();
    opened = 0;
    assertThat(failing(PatientRead.ATTEMPTS - 1).read(FILE, 100)).contains(BYTES);
    assertThat(paused).isEqualTo(PatientRead.ATTEMPTS - 1);
  }

  @Test
  void soItIsIfItComesAfterSomeBytes() throws IOException {
    PatientRead read =
        new PatientRead(
            file -> opened++ == 0 ? cutOff() : new ByteArrayInputStream(BYTES), () -> {});
    assertThat(read.read(FILE, 100)).contains(BYTES);
  }

  private static InputStream cutOff() {
    return new FilterInputStream(new ByteArrayInputStream(BYTES, 0, 2)) {
      @Override
      public int read(byte[] target, int from, int length) throws IOException {
        int read = super.read(target, from, length);
        if (read < 0) {
          throw new IOException("as asked");
        }
        return read;
      }
    };
  }

  @Test
  void oneThatStaysIsNoAbsence() {
    assertThatExceptionOfType(CachePathException.class)
        .isThrownBy(() -> failing(PatientRead.ATTEMPTS).read(FILE, 100))
        .withMessageContaining("path=" + FILE + " cannot be read now")
        .withMessageContaining("as asked");
  }

  @Test
  void anAbsenceIsToldAtOnce() throws IOException {
    PatientRead read =
        new PatientRead(
            file -> {
              opened++;
              throw new NoSuchFileException(file.toString());
            },
            () -> {});
    assertThat(read.read(FILE, 100)).isEmpty();
    assertThat(opened).isOne();
  }
}
