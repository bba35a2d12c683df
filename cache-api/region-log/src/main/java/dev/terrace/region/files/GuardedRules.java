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
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Keeps failures of the application's {@link FileRules}, and overlong answers, from the log. What
 * is not known of a file is the safe answer: it may not lie on a device, or encrypted only.
 */
public final class GuardedRules {

  private final RateLimitedLog warnings;

  private GuardedRules(LongSupplier nanoTime) {
    this.warnings = new RateLimitedLog(LoggerFactory.getLogger(GuardedRules.class), nanoTime);
  }

  /** The same rules, guarded. */
  public static FileRules of(FileRules rules, LongSupplier nanoTime) {
    GuardedRules guard = new GuardedRules(nanoTime);
    return new FileRules(
        file -> guard.answer(() -> rules.storable().test(file), false, file),
        file -> guard.answer(() -> rules.encrypted().test(file), true, file),
        guard.origins(rules.origins()),
        (file, offset) -> guard.answer(() -> rules.leaving().isLeaving(file, offset), false, file));
  }

  private boolean answer(BooleanSupplier question, boolean otherwise, String file) {
    try {
      return question.getAsBoolean();
    } catch (RuntimeException | Error e) {
      warnings.warn("Not known how to treat this file: " + file, e);
      return otherwise;
    }
  }

  private FileOrigins origins(FileOrigins origins) {
    return new FileOrigins() {
      @Override
      public String originOf(String file) {
        try {
          String origin = origins.originOf(file);
          return origin.getBytes(StandardCharsets.UTF_8).length > MAX_ORIGIN_BYTES ? "" : origin;
        } catch (RuntimeException | Error e) {
          warnings.warn("Not known where this file belongs: " + file, e);
          return "";
        }
      }

      @Override
      public void recovered(String file, String origin) {
        try {
          origins.recovered(file, origin);
        } catch (RuntimeException | Error e) {
          warnings.warn("Not taken, where this file belongs: " + file + ": " + origin, e);
        }
      }
    };
  }
}
