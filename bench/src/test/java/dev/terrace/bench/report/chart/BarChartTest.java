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

import dev.terrace.bench.report.Markup;
import dev.terrace.bench.report.Summary;
import org.junit.jupiter.api.Test;

final class BarChartTest {

  private final BarChart chart =
      new BarChart("speeds", "operations a second", value -> Long.toString(Math.round(value)));

  private String svg() {
    Markup markup = new Markup();
    chart.draw(markup, "id");
    return markup.finish();
  }

  @Test
  void tellsNamesFiguresAndSpreads() {
    chart.group("reads").bar("Terrace", Look.TERRACE, Summary.of(90, 100, 110));

    assertThat(chart.description()).isEqualTo("In operations a second. reads: Terrace 100 ± 10 %.");
    assertThat(svg()).contains("class=\"whisker\"", "class=\"mark terrace\"", ">100 ± 10 %<");
  }

  @Test
  void singleMeasurementsHaveNoWhiskers() {
    chart.bar("one", Look.PEER, Summary.of(7));

    assertThat(svg()).contains(">7<").doesNotContain("whisker");
  }

  @Test
  void valuesFarApartBecomeDotsOnALogarithmicAxis() {
    chart.bar("fast", Look.TERRACE, Summary.of(21)).bar("slow", Look.PEER, Summary.of(1));

    assertThat(svg()).contains("<circle", "each line ten times").doesNotContain("<rect");
    assertThat(chart.marks()).isEqualTo(2);
  }

  @Test
  void upToTwentyTimesTheyAreBars() {
    chart.bar("fast", Look.TERRACE, Summary.of(20)).bar("slow", Look.PEER, Summary.of(1));

    assertThat(svg()).contains("<rect").doesNotContain("<circle", "each line ten times");
  }

  @Test
  void zeroIsStillDrawn() {
    chart.bar("some", Look.TERRACE, Summary.of(1000)).bar("none", Look.PEER, Summary.of(0));

    assertThat(svg()).contains("class=\"mark peer\" x=\"0.000%\"", "width=\"2\"");
  }

  @Test
  void escapesNames() {
    chart.bar("<b>&", Look.PEER, Summary.of(1));

    assertThat(svg()).contains("&lt;b&gt;&amp;").doesNotContain("<b>");
  }
}
