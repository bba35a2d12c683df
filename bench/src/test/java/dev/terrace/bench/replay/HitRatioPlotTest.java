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
package dev.terrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

final class HitRatioPlotTest {

  private final HitRatioPlot plot = new HitRatioPlot("a < b & c", new double[] {1, 10, 100});

  @Test
  void drawsALineForEachCache() throws Exception {
    plot.add("one", new double[] {0.5, 0.75, 1.0});
    plot.add("other", new double[] {0.6, 0.7, 0.8});

    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(plot.svg().getBytes(StandardCharsets.UTF_8)));
    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
    String points = ((Element) svg.getElementsByTagName("polyline").item(0)).getAttribute("points");
    // Sizes 1, 10 and 100 are equally far apart; more hits are higher up.
    String[] coordinates = points.split("[ ,]", -1);
    assertThat(coordinates).hasSize(6);
    double middle = Double.parseDouble(coordinates[2]);
    assertThat(middle - Double.parseDouble(coordinates[0]))
        .isEqualTo(Double.parseDouble(coordinates[4]) - middle);
    assertThat(Double.parseDouble(coordinates[5])).isLessThan(Double.parseDouble(coordinates[3]));
    assertThat(svg.getElementsByTagName("text").item(0).getTextContent()).isEqualTo("a < b & c");
  }

  @Test
  void refusesLinesOfAnotherLength() {
    assertThatThrownBy(() -> plot.add("short", new double[] {0.5}))
        .hasMessage("ratios=1, must be 3");
  }
}
