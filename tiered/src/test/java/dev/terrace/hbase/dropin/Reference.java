// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.dropin;

import static javassist.bytecode.ConstPool.CONST_Class;
import static javassist.bytecode.ConstPool.CONST_Fieldref;
import static javassist.bytecode.ConstPool.CONST_InterfaceMethodref;
import static javassist.bytecode.ConstPool.CONST_MethodType;
import static javassist.bytecode.ConstPool.CONST_Methodref;
import static javassist.bytecode.ConstPool.CONST_NameAndType;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javassist.bytecode.ClassFile;
import javassist.bytecode.ConstPool;
import javassist.bytecode.FieldInfo;
import javassist.bytecode.MethodInfo;

/**
 * What a class file refers to: a class, or a field or method of one.
 *
 * @param kind what it is
 * @param owner the class, or the class of the member, with slashes
 * @param name the member's name, empty for a class
 * @param descriptor the member's descriptor, empty for a class
 */
record Reference(Kind kind, String owner, String name, String descriptor)
    implements Comparable<Reference> {

  /** What can be referred to. */
  enum Kind {
    CLASS,
    FIELD,
    METHOD,
    INTERFACE_METHOD
  }

  private static final Pattern CLASS_IN_DESCRIPTOR = Pattern.compile("L([^;<]+);");

  /** All that a class refers to: what it calls and reads, and the types that it names. */
  static Set<Reference> of(ClassFile file) {
    Set<Reference> found = new TreeSet<>();
    ConstPool pool = file.getConstPool();
    for (int i = 1; i < pool.getSize(); i++) {
      switch (pool.getTag(i)) {
        case CONST_Class -> addClass(found, pool.getClassInfoByDescriptor(i));
        case CONST_MethodType -> addClasses(found, pool.getUtf8Info(pool.getMethodTypeInfo(i)));
        case CONST_NameAndType ->
            addClasses(found, pool.getUtf8Info(pool.getNameAndTypeDescriptor(i)));
        case CONST_Fieldref ->
            addMember(
                found,
                Kind.FIELD,
                pool.getFieldrefClassName(i),
                pool.getFieldrefName(i),
                pool.getFieldrefType(i));
        case CONST_Methodref ->
            addMember(
                found,
                Kind.METHOD,
                pool.getMethodrefClassName(i),
                pool.getMethodrefName(i),
                pool.getMethodrefType(i));
        case CONST_InterfaceMethodref ->
            addMember(
                found,
                Kind.INTERFACE_METHOD,
                pool.getInterfaceMethodrefClassName(i),
                pool.getInterfaceMethodrefName(i),
                pool.getInterfaceMethodrefType(i));
        default -> {
          // The others refer to nothing, or only through those above.
        }
      }
    }
    for (MethodInfo method : file.getMethods()) {
      addClasses(found, method.getDescriptor());
    }
    for (FieldInfo field : file.getFields()) {
      addClasses(found, field.getDescriptor());
    }
    return found;
  }

  private static void addMember(
      Set<Reference> found, Kind kind, String owner, String name, String descriptor) {
    if (owner.startsWith("[")) {
      addClasses(found, owner.replace('.', '/')); // an array has the members of Object
    } else {
      found.add(new Reference(kind, owner.replace('.', '/'), name, descriptor));
    }
  }

  private static void addClass(Set<Reference> found, String nameOrArray) {
    if (nameOrArray.startsWith("[") || nameOrArray.endsWith(";")) {
      addClasses(found, nameOrArray);
    } else {
      found.add(new Reference(Kind.CLASS, nameOrArray, "", ""));
    }
  }

  private static void addClasses(Set<Reference> found, String descriptor) {
    Matcher names = CLASS_IN_DESCRIPTOR.matcher(descriptor);
    while (names.find()) {
      found.add(new Reference(Kind.CLASS, names.group(1), "", ""));
    }
  }

  @Override
  public int compareTo(Reference other) {
    return toString().compareTo(other.toString());
  }

  /** The class, or {@code class.member} with its descriptor. */
  @Override
  public String toString() {
    return kind == Kind.CLASS ? owner : owner + "." + name + descriptor;
  }
}
