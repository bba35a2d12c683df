// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.ssd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.terrace.api.Patience;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opentest4j.TestAbortedException;

/**
 * Disks that fail, in processes with other locales: the JDK's errors have the text of the C
 * library, in the language of {@code LC_ALL}. Skipped where a locale is not installed.
 */
class DiskLocalesTest {

  private static final int SKIPPED = 77;
  private static final String NO_SPACE = "no space: ";

  @TempDir Path temporary;

  @ParameterizedTest
  @CsvSource({"C,No space left", "de_DE.UTF-8,Speicherplatz", "tr_TR.UTF-8,yer"})
  void aFullDiskIsOneInEachLanguage(String locale, String word) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                temporary.toString())
            .redirectErrorStream(true);
    builder.environment().put("LC_ALL", locale);
    builder.environment().remove("LANGUAGE");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    assumeFalse(process.exitValue() == SKIPPED, said);
    assertThat(process.exitValue()).as(said).isZero();
    String message = said.lines().filter(line -> line.contains(NO_SPACE)).findFirst().orElse("");
    assumeTrue(message.contains(word), locale + " is installed: " + message);
  }

  /** Runs in the process with the locale. */
  static final class Child {

    private Child() {}

    public static void main(String[] args) throws Exception {
      System.out.println(NO_SPACE + messageOfAFullDisk());
      FullDiskTierTest test = new FullDiskTierTest();
      test.temporary = Files.createTempDirectory(Path.of(args[0]), "disk");
      try {
        test.writesStopReadsGoOnAndSpaceHeals();
      } catch (TestAbortedException e) {
        System.out.println(e.getMessage());
        System.exit(SKIPPED);
      }
    }

    private static String messageOfAFullDisk() throws IOException {
      try (FileOutputStream full = new FileOutputStream("/dev/full")) {
        full.write(1);
        return "none";
      } catch (IOException e) {
        return e.getMessage();
      }
    }
  }
}
