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
 * How long tests wait for what must come: long enough for a machine that does other work. Only a
 * test of a time has a limit of its own. JUnit applies this to each class; another process of a
 * test calls {@link #apply}. How long a test may take is in junit-platform.properties.
 */
public final class Patience implements BeforeAllCallback {

  public static final Duration LIMIT = Duration.ofMinutes(4);

  public static final long SECONDS = LIMIT.toSeconds();

  private static final Duration INTERVAL = Duration.ofMillis(5);

  /**
   * Has Awaitility wait as long, and look at a condition at once and then every few milliseconds.
   * By itself it begins after 100 ms, so a hundred waits for what is true already take ten seconds.
   */
  public static void apply() {
    Awaitility.setDefaultTimeout(LIMIT);
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(INTERVAL);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    apply();
  }
}
