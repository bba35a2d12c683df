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
package dev.terrace.bench.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

final class LineChartTest {

  private final Map<String, double[]> ratios = new LinkedHashMap<>();

  private LineChart hitRatios() {
    return HitRatioChart.of("a < b & c", List.of(1.0, 10.0, 100.0), ratios);
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void drawsALineForEachCache() throws Exception {
    ratios.put("one", new double[] {0.5, 0.75, 1.0});
    ratios.put("other", new double[] {0.6, 0.7, 0.8});

    Document svg = parse(hitRatios().standalone());

    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
    // The first line is drawn last, on top of the others.
    String points = ((Element) svg.getElementsByTagName("polyline").item(1)).getAttribute("points");
    // Sizes 1, 10 and 100 are equally far apart; more hits are higher up.
    String[] coordinates = points.split("[ ,]", -1);
    assertThat(coordinates).hasSize(6);
    double middle = Double.parseDouble(coordinates[2]);
    assertThat(middle - Double.parseDouble(coordinates[0]))
        .isCloseTo(Double.parseDouble(coordinates[4]) - middle, within(0.02));
    assertThat(Double.parseDouble(coordinates[5])).isLessThan(Double.parseDouble(coordinates[3]));
    assertThat(svg.getElementsByTagName("text").item(0).getTextContent()).isEqualTo("a < b & c");
    assertThat(hitRatios().marks()).isEqualTo(6);
  }

  @Test
  void refusesLinesOfAnotherLength() {
    ratios.put("short", new double[] {0.5});

    assertThatThrownBy(this::hitRatios).hasMessage("ratios=1, must be 3");
  }

  @Test
  void refusesALineWithoutPoints() {
    ratios.put("one", new double[] {0.5, 0.75, 1.0});

    assertThatThrownBy(() -> hitRatios().line("none", List.of()))
        .hasMessage("line 'none' has no points");
  }
}
