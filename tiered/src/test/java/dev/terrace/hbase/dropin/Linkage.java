// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javassist.bytecode.AccessFlag;
import javassist.bytecode.ClassFile;
import javassist.bytecode.FieldInfo;
import javassist.bytecode.MethodInfo;

/**
 * Whether classes link with others, by the rules of the Java Virtual Machine Specification, section
 * 5.4, without loading any. Not thread-safe.
 */
final class Linkage {

  /** A member as it was found: where, and with which flags. */
  private record Member(ClassFile owner, int flags) {}

  private final ClassFiles classes;

  Linkage(ClassFiles classes) {
    this.classes = classes;
  }

  /** Why a reference of a class does not resolve, or nothing. */
  Optional<String> problem(ClassFile from, Reference reference) {
    Optional<ClassFile> owner = classes.find(reference.owner());
    if (owner.isEmpty()) {
      return Optional.of("no such class");
    }
    if (!accessible(from, owner.get(), owner.get().getAccessFlags())) {
      return Optional.of("the class is not accessible");
    }
    if (reference.kind() == Reference.Kind.CLASS) {
      return Optional.empty();
    }
    boolean wantsInterface = reference.kind() == Reference.Kind.INTERFACE_METHOD;
    if (reference.kind() != Reference.Kind.FIELD && owner.get().isInterface() != wantsInterface) {
      return Optional.of("was " + (wantsInterface ? "an interface" : "a class") + ", and is not");
    }
    Optional<Member> member =
        lineage(owner.get()).stream()
            .flatMap(type -> declared(type, reference).stream())
            .findFirst();
    if (member.isEmpty()) {
      return Optional.of("no such member");
    }
    return accessible(from, member.get().owner(), member.get().flags())
        ? Optional.empty()
        : Optional.of("the member is not accessible");
  }

  /** What a class leaves undone, or does against its superclasses, so that it cannot be used. */
  List<String> problems(ClassFile type) {
    List<String> problems = new ArrayList<>();
    List<ClassFile> lineage = lineage(type);
    for (String missing : missingSupertypes(type)) {
      problems.add("supertype " + missing + ": no such class");
    }
    Map<String, ClassFile> undone = new LinkedHashMap<>();
    for (ClassFile above : lineage) {
      for (MethodInfo method : above.getMethods()) {
        if (above != type) {
          overriddenFinal(type, above, method).ifPresent(problems::add);
        }
        if (Modifier.isAbstract(method.getAccessFlags())) {
          undone.putIfAbsent(method.getName() + method.getDescriptor(), above);
        }
      }
    }
    if (!Modifier.isAbstract(type.getAccessFlags())) {
      undone.forEach(
          (method, above) -> {
            if (lineage.stream().noneMatch(candidate -> does(candidate, method))) {
              problems.add("does not implement " + name(above) + "." + method);
            }
          });
    }
    return problems;
  }

  private static Optional<String> overriddenFinal(
      ClassFile type, ClassFile above, MethodInfo method) {
    int flags = method.getAccessFlags();
    boolean overrides =
        Modifier.isFinal(flags)
            && !Modifier.isPrivate(flags)
            && !Modifier.isStatic(flags)
            && find(type, method.getName() + method.getDescriptor()).isPresent();
    return overrides
        ? Optional.of(
            "overrides the final " + name(above) + "." + method.getName() + method.getDescriptor())
        : Optional.empty();
  }

  private static boolean does(ClassFile type, String method) {
    return find(type, method)
        .filter(found -> (found.getAccessFlags() & (AccessFlag.ABSTRACT | AccessFlag.STATIC)) == 0)
        .isPresent();
  }

  private static Optional<MethodInfo> find(ClassFile type, String method) {
    return type.getMethods().stream()
        .filter(candidate -> (candidate.getName() + candidate.getDescriptor()).equals(method))
        .findFirst();
  }

  private static Optional<Member> declared(ClassFile type, Reference reference) {
    if (reference.kind() == Reference.Kind.FIELD) {
      for (FieldInfo field : type.getFields()) {
        if (field.getName().equals(reference.name())
            && field.getDescriptor().equals(reference.descriptor())) {
          return Optional.of(new Member(type, field.getAccessFlags()));
        }
      }
      return Optional.empty();
    }
    return find(type, reference.name() + reference.descriptor())
        .map(method -> new Member(type, method.getAccessFlags()));
  }

  /** A class, its superclasses from the nearest on, and then all their interfaces. */
  private List<ClassFile> lineage(ClassFile type) {
    Map<String, ClassFile> found = new LinkedHashMap<>();
    for (Optional<ClassFile> at = Optional.of(type); at.isPresent(); at = superclass(at.get())) {
      found.put(name(at.get()), at.get());
    }
    for (ClassFile at : List.copyOf(found.values())) {
      addInterfaces(at, found);
    }
    return List.copyOf(found.values());
  }

  private void addInterfaces(ClassFile type, Map<String, ClassFile> found) {
    for (String name : type.getInterfaces()) {
      Optional<ClassFile> above = classes.find(slashed(name));
      if (above.isPresent() && found.putIfAbsent(slashed(name), above.get()) == null) {
        addInterfaces(above.get(), found);
      }
    }
  }

  private List<String> missingSupertypes(ClassFile type) {
    return lineage(type).stream()
        .flatMap(
            at -> {
              List<String> names = new ArrayList<>(Arrays.asList(at.getInterfaces()));
              if (at.getSuperclass() != null) {
                names.add(at.getSuperclass());
              }
              return names.stream();
            })
        .map(Linkage::slashed)
        .filter(name -> classes.find(name).isEmpty())
        .distinct()
        .toList();
  }

  private Optional<ClassFile> superclass(ClassFile type) {
    return type.getSuperclass() == null
        ? Optional.empty()
        : classes.find(slashed(type.getSuperclass()));
  }

  private boolean accessible(ClassFile from, ClassFile owner, int flags) {
    if (Modifier.isPublic(flags) || name(from).equals(name(owner))) {
      return true;
    }
    if (Modifier.isPrivate(flags)) {
      return false;
    }
    return packageOf(from).equals(packageOf(owner))
        || (Modifier.isProtected(flags)
            && lineage(from).stream().anyMatch(type -> name(type).equals(name(owner))));
  }

  static String name(ClassFile type) {
    return slashed(type.getName());
  }

  private static String slashed(String name) {
    return name.replace('.', '/');
  }

  private static String packageOf(ClassFile type) {
    String name = name(type);
    return name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }
}
