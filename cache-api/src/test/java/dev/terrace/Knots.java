// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace;

import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The classes of which each knows each other, directly or through others, are no more than so many.
 * A nested class counts as the class around it.
 */
public final class Knots extends ArchCondition<JavaClass> {

  private final int most;
  private final Map<String, Set<String>> known = new HashMap<>();

  /** A condition that admits knots of at most {@code most} classes. */
  public Knots(int most) {
    super("be in no knot of more than %d classes", most);
    this.most = most;
  }

  @Override
  public void init(Collection<JavaClass> all) {
    Set<String> names = new HashSet<>();
    all.forEach(each -> names.add(outermost(each)));
    for (JavaClass each : all) {
      Set<String> ofEach = known.computeIfAbsent(outermost(each), name -> new HashSet<>());
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        String other = outermost(dependency.getTargetClass().getBaseComponentType());
        if (names.contains(other)) {
          ofEach.add(other);
        }
      }
    }
  }

  @Override
  public void check(JavaClass item, ConditionEvents events) {
    String name = outermost(item);
    if (!item.getName().equals(name)) {
      return;
    }
    TreeSet<String> knot =
        reachedFrom(name).stream()
            .filter(other -> reachedFrom(other).contains(name))
            .collect(toCollection(TreeSet::new));
    boolean isSmall = knot.size() <= most;
    String message = name + (isSmall ? " is in no such knot" : " is in a knot of " + knot);
    events.add(new SimpleConditionEvent(item, isSmall, message));
  }

  private Set<String> reachedFrom(String name) {
    Set<String> reached = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(known.get(name));
    while (!next.isEmpty()) {
      String each = next.pop();
      if (reached.add(each)) {
        next.addAll(known.get(each));
      }
    }
    return reached;
  }

  private static String outermost(JavaClass item) {
    return item.getEnclosingClass().map(Knots::outermost).orElse(item.getName());
  }
}
