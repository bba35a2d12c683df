// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase;

import dev.terrace.api.LoggedLines;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What a class logs during a test, from INFO on. */
public final class LogLines implements BeforeEachCallback, AfterEachCallback {

  private final Logger logger;
  private final Collector collector = new Collector();

  public LogLines(Class<?> source) {
    this(source.getName());
  }

  /**
   * @param source the full name of a class
   */
  public LogLines(String source) {
    this.logger = Logger.getLogger(source);
  }

  /** Each line as its level and message. */
  public List<String> lines() {
    LoggedLines.await();
    return List.copyOf(collector.lines);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    // The line of the test before would be this one's.
    LoggedLines.await();
    logger.addAppender(collector);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    logger.removeAppender(collector);
  }

  private static final class Collector extends AppenderSkeleton {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    protected void append(LoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
        lines.add(event.getLevel() + " " + event.getRenderedMessage());
      }
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }

    @Override
    public void close() {}
  }
}
