// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.api;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The files of a test by name, the same for all tiers that it makes. Each test starts with none.
 */
public final class TestFiles implements AfterEachCallback {

  /** The files that tiers under test find when they recover. */
  public static final CacheFiles FILES = new CacheFiles();

  private static final Map<String, CacheFile> HELD = new ConcurrentHashMap<>();

  /** The file of a name, which the test holds to its end. */
  public static CacheFile file(String name) {
    return HELD.computeIfAbsent(name, FILES::hold);
  }

  /** Forgets all files with the tables of earlier tiers, closed or not: for tests of many tiers. */
  public static void forgetAll() {
    HELD.clear();
    FILES.all().forEach(FILES::forget);
  }

  /** Sets the quotas of the files that there are, and of those that come. */
  public static void setQuotas(Tier<?> tier, Function<String, Quota> quotas) {
    FILES.whenNew(file -> tier.setQuota(file, quotas.apply(file.name())));
    FILES.all().forEach(file -> tier.setQuota(file, quotas.apply(file.name())));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    FILES.whenNew(file -> {});
    FILES.whenRecovered(CacheFile::setOrigin);
    forgetAll();
  }
}
