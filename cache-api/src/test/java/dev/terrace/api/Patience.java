// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
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
