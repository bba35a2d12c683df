// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.visits;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads Terrace's classes anew. In those of which there is an object for each region, file or
 * block, each constructor and method of an object calls {@link Visits#visit}.
 */
final class VisitedClasses extends ClassLoader {

  private static final String OURS = "dev.terrace.";

  private static final Set<String> VISITED =
      Set.of(
          "dev.terrace.region.log.Region",
          "dev.terrace.region.memory.RegionPins",
          "dev.terrace.region.index.FileTable",
          "dev.terrace.region.index.IndexEntry",
          "dev.terrace.dram.EntryTable",
          "dev.terrace.dram.EntrySlots",
          "dev.terrace.dram.DramEntry",
          "dev.terrace.dram.ClockNode");

  VisitedClasses() {
    super(VisitedClasses.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || name.equals(Visits.class.getName())) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = VISITED.contains(name) ? telling(in) : in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static byte[] telling(InputStream in) throws IOException {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    ClassVisitor changed =
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String method, String descriptor, String signature, String[] thrown) {
            MethodVisitor next = super.visitMethod(access, method, descriptor, signature, thrown);
            return (access & Opcodes.ACC_STATIC) == 0 ? new Telling(next) : next;
          }
        };
    new ClassReader(in).accept(changed, 0);
    return writer.toByteArray();
  }

  private static final class Telling extends MethodVisitor {

    private Telling(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      String log = Visits.class.getName().replace('.', '/');
      super.visitMethodInsn(Opcodes.INVOKESTATIC, log, "visit", "()V", false);
    }
  }
}
