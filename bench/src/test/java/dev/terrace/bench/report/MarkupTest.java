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

    assertThat(markup.toString())
        .isEqualTo(
            "<p title=\"&quot;&gt;&lt;b&gt;&amp;&apos;\">"
                + "&lt;script&gt;alert(&apos;1&apos;)&lt;/script&gt; &amp; &quot;more&quot;</p>");
  }

  @Test
  void replacesWhatXmlCannotHold() {
    assertThat(markup.text("a\u0000b\u001bc").toString()).isEqualTo("a\uFFFDb\uFFFDc");
  }

  @Test
  void nestsElements() {
    markup.open("ul").open("li", "class", "x").text("1").close().close();

    assertThat(markup.toString()).isEqualTo("<ul><li class=\"x\">1</li></ul>");
  }

  @Test
  void endsOnlyWhatWasStarted() {
    assertThatThrownBy(markup::close).isInstanceOf(NoSuchElementException.class);
  }
}
