// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.tiered;

import dev.terrace.api.PutOutcome;
import dev.terrace.api.Tier;
import dev.terrace.jcstress.Leased;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** A tier that has room for one block, and answers only what a demotion asks. */
final class OneBlockTier {

  private volatile boolean hasBlock;

  static OneBlockTier withBlock() {
    OneBlockTier tier = new OneBlockTier();
    tier.hasBlock = true;
    return tier;
  }

  @SuppressWarnings("unchecked")
  Tier<Leased> tier() {
    return (Tier<Leased>)
        Proxy.newProxyInstance(
            Tier.class.getClassLoader(),
            new Class<?>[] {Tier.class},
            (proxy, method, arguments) -> answer(method));
  }

  private Object answer(Method method) {
    return switch (method.getName()) {
      case "name" -> "one";
      case "accepts" -> true;
      case "contains" -> hasBlock;
      case "estimatedStoredBytes" -> 1;
      case "evictionUnitBytes" -> 0L;
      case "isFull" -> false;
      case "put" -> {
        hasBlock = true;
        yield PutOutcome.STORED;
      }
      case "evict" -> evict() ? 1 : 0;
      default -> throw new UnsupportedOperationException(method.getName());
    };
  }

  boolean evict() {
    boolean had = hasBlock;
    hasBlock = false;
    return had;
  }

  boolean hasBlock() {
    return hasBlock;
  }
}
