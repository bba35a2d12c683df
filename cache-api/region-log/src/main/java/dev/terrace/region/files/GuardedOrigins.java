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
package dev.terrace.region.files;

import dev.terrace.api.RateLimitedLog;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps failures and overlong answers of the application's {@link FileOrigins} from the log. */
public final class GuardedOrigins implements FileOrigins {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedOrigins.class);

  private final FileOrigins origins;
  private final RateLimitedLog warnings;

  /** The same origins, guarded. */
  public GuardedOrigins(FileOrigins origins, LongSupplier nanoTime) {
    this.origins = origins;
    this.warnings = new RateLimitedLog(LOG, Duration.ofMinutes(1), nanoTime);
  }

  @Override
  public String originOf(String file) {
    try {
      String origin = origins.originOf(file);
      return origin.getBytes(StandardCharsets.UTF_8).length > MAX_ORIGIN_BYTES ? "" : origin;
    } catch (RuntimeException e) {
      warnings.warn("Not known where this file belongs: " + file, e);
      return "";
    }
  }

  @Override
  public void recovered(String file, String origin) {
    try {
      origins.recovered(file, origin);
    } catch (RuntimeException e) {
      warnings.warn("Not taken, where this file belongs: " + file + ": " + origin, e);
    }
  }
}
