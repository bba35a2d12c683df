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
package dev.terrace.hbase.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines over time on the status page. */
class HtmlTest {

  private static String svg(Double... values) {
    return new Html().figure("a \"line\"", List.of(values), 4).toString();
  }

  @Test
  void theNewestValueIsOnTheRight() {
    assertThat(svg(0.0, 0.5, 1.0)).contains("d=\"M1 100.0L2 50.0L3 0.0\"");
  }

  @Test
  void theLineEndsWhereThereIsNoValue() {
    assertThat(svg(0.0, Double.NaN, 1.0, 1.0)).contains("d=\"M0 100.0M2 0.0L3 0.0\"");
  }

  @Test
  void valuesOutOfRangeStayInThePicture() {
    assertThat(svg(-1.0, 2.0)).contains("d=\"M2 100.0L3 0.0\"");
  }

  @Test
  void itIsDescribed() {
    assertThat(svg()).contains("aria-label=\"a &quot;line&quot;\"", "d=\"\"");
  }
}
