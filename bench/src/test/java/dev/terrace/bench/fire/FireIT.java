/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package dev.terrace.bench.fire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.terrace.bench.TerraceLine;
import dev.terrace.bench.server.HBaseInstall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short fire on a real cluster, from its options to its verdict. */
@Tag("hadoop")
@Tag("long")
final class FireIT {

  @Test
  void aClusterUnderFireLosesNothing() throws IOException {
    Path work = HBaseInstall.home().resolve("bench/target/it/fire");
    FileUtils.deleteDirectory(work.toFile());
    Files.createDirectories(work);
    TerraceLine terrace = new TerraceLine();
    int exit =
        terrace.run("fire", "--seconds=30", "--seed=1392", "--dir=" + work, "--pmem=" + work);
    assertThat(exit).as(terrace.out() + terrace.err()).isZero();
    assertThat(terrace.out())
        .contains("bin/terrace fire --seed 1392 --seconds 30")
        .containsPattern("faults +[1-9]")
        .containsPattern("rows checked +[1-9]")
        .containsPattern("wrong, lost, foreign rows +0\\n")
        .containsPattern("failed client operations +0\\n")
        .containsPattern("findings +0\\n")
        .containsPattern("warm hits after +[1-9]")
        .containsPattern("blocks warmed .*; [1-9][0-9]* damaged lists, 0 regions wait\\n");
    // Each server's tiers on PMem and SSD.
    assertThat(terrace.out().lines().filter(line -> line.contains(" verify "))).hasSize(6);
    assertThat(work).isEmptyDirectory();
  }
}
