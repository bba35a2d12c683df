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
package dev.terrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JsonReportTest {

  @TempDir Path directory;

  @Test
  void writesWhenOnWhatAndWhatCameOut() throws IOException {
    JsonReport report =
        new JsonReport(
            "hit", Instant.parse("2026-01-02T03:04:05.6Z"), new Machine(), Map.of("forks", 3));
    report.add("summary", List.of(Summary.of(1, 2, 4)));
    Path file = directory.resolve("new/result.json");
    report.write(file);

    JsonObject written = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    assertThat(written.get("name").getAsString()).isEqualTo("hit");
    assertThat(written.get("time").getAsString()).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(written.getAsJsonObject("machine").has("cpu")).isTrue();
    assertThat(written.getAsJsonObject("settings").get("forks").getAsInt()).isEqualTo(3);
    JsonObject summary = written.getAsJsonArray("summary").get(0).getAsJsonObject();
    assertThat(summary.get("median").getAsDouble()).isEqualTo(2);
  }
}
