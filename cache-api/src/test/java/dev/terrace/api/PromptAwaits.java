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
package dev.terrace.api;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Looks at a condition that a test waits for at once, and then every few milliseconds. By itself
 * Awaitility begins after 100 ms, so a hundred waits for what is true already take ten seconds.
 */
public final class PromptAwaits implements BeforeAllCallback {

  private static final Duration INTERVAL = Duration.ofMillis(5);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(INTERVAL);
  }
}
