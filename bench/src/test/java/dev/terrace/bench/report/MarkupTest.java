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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

final class MarkupTest {

  private final Markup markup = new Markup();

  @Test
  void escapesTextsAndAttributes() {
    markup.element("p", "<script>alert('1')</script> & \"more\"", "title", "\"><b>&'");

    assertThat(markup.finish())
        .isEqualTo(
            "<p title=\"&quot;&gt;&lt;b&gt;&amp;&#39;\">"
                + "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;more&quot;</p>");
  }

  @Test
  void replacesWhatXmlCannotHold() {
    assertThat(markup.text("a\u0000b\u001bc\td\n").finish()).isEqualTo("a\uFFFDb\uFFFDc\td\n");
  }

  @Test
  void nestsElements() {
    markup.open("ul").open("li", "class", "x").text("1").close().empty("br").close();

    assertThat(markup.finish()).isEqualTo("<ul><li class=\"x\">1</li><br/></ul>");
  }

  @Test
  void refusesWhatIsNotWellFormed() {
    assertThatThrownBy(() -> markup.open("p", "class"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("element=p");
    assertThatThrownBy(markup::close).isInstanceOf(NoSuchElementException.class);
    markup.open("div");
    assertThatThrownBy(markup::finish).hasMessage("not closed: [div]");
  }

  @Test
  void refusesAStyleSheetThatCouldEndItsElement() {
    assertThatThrownBy(() -> markup.style("a { } </style>"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
