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
package dev.terrace.hbase;

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
    return List.copyOf(collector.lines);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
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
