// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.writes;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;

/**
 * Makes the classes that a hit runs through tell {@link WriteLog} of what they write: Terrace's,
 * HBase's and Netty's, and the JDK's collections, atomics, locks and channels. An atomic operation
 * counts whether it changes something or not, because it takes the line.
 *
 * <p>Unseen is what native code writes (such as the bytes that a read copies), what constructors
 * write to their own object, and what is a thread's own in the JDK (random numbers, thread locals).
 */
public final class WriteAgent {

  private static final List<String> SEEN =
      List.of(
          "dev/terrace/",
          "org/apache/hadoop/hbase/",
          "org/apache/hbase/thirdparty/io/netty/",
          "io/netty/",
          "java/util/concurrent/",
          "sun/nio/ch/");

  private static final List<String> COLLECTIONS =
      List.of("java/util/ArrayDeque", "java/util/HashMap", "java/util/ArrayList");

  private static final List<String> UNSEEN =
      List.of("dev/terrace/hbase/writes/", "java/util/concurrent/ThreadLocalRandom");

  private static final String LOG = WriteLog.class.getName().replace('.', '/');

  private static final Pattern HANDLE_READS = Pattern.compile("get(Acquire|Opaque|Volatile)?");

  private static final Pattern UNSAFE_WRITES =
      Pattern.compile("(put|compareAnd|weakCompareAnd|getAnd)[A-Z].*");

  private static final Pattern BUFFER = Pattern.compile("java/nio/\\w*Buffer");

  private WriteAgent() {}

  /** Runs before {@code main}. */
  public static void premain(String arguments, Instrumentation instrumentation)
      throws UnmodifiableClassException {
    instrumentation.addTransformer(new Changed(), true);
    instrumentation.retransformClasses(
        Arrays.stream(instrumentation.getAllLoadedClasses())
            .filter(type -> instrumentation.isModifiableClass(type))
            .filter(type -> isSeen(type.getName().replace('.', '/')))
            .toArray(Class<?>[]::new));
  }

  private static boolean isSeen(String name) {
    String outer = name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
    return (SEEN.stream().anyMatch(name::startsWith) || COLLECTIONS.contains(outer))
        && UNSEEN.stream().noneMatch(name::startsWith);
  }

  private static final class Changed implements ClassFileTransformer {

    @Override
    public byte[] transform(
        ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] bytes) {
      if (name == null || !isSeen(name)) {
        return null;
      }
      try {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        reader.accept(new Telling(writer), ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
      } catch (RuntimeException e) {
        // The JVM would go on with the class as it was.
        e.printStackTrace();
        Runtime.getRuntime().halt(1);
        return null;
      }
    }
  }

  private static final class Telling extends ClassVisitor {

    private String name;

    private Telling(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(
        int version, int access, String type, String signature, String parent, String[] others) {
      name = type;
      super.visit(version, access, type, signature, parent, others);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String method, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
      return next == null ? null : new TellingMethod(next, access, method, descriptor, name);
    }
  }

  private static final class TellingMethod extends GeneratorAdapter {

    private final String type;
    private final boolean isConstructor;
    private final boolean isSynchronized;

    private TellingMethod(
        MethodVisitor next, int access, String method, String descriptor, String type) {
      super(Opcodes.ASM9, next, access, method, descriptor);
      this.type = type;
      this.isConstructor = method.equals("<init>");
      this.isSynchronized =
          (access & Opcodes.ACC_SYNCHRONIZED) != 0 && (access & Opcodes.ACC_STATIC) == 0;
    }

    private void tell(String method, String descriptor) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, LOG, method, descriptor, false);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (isSynchronized) {
        loadThis();
        tell("monitor", "(Ljava/lang/Object;)V");
      }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
      boolean isReference = Type.getType(descriptor).getSort() >= Type.ARRAY;
      switch (opcode) {
        case Opcodes.PUTFIELD -> {
          if (!(isConstructor && owner.equals(type))) {
            int value = newLocal(Type.getType(descriptor));
            storeLocal(value);
            dup();
            named(owner, field);
            tell("field", "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/String;)V");
            loadLocal(value);
          }
          super.visitFieldInsn(opcode, owner, field, descriptor);
        }
        case Opcodes.PUTSTATIC -> {
          super.visitInsn(Opcodes.ACONST_NULL);
          named(owner, field);
          tell("field", "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/String;)V");
          super.visitFieldInsn(opcode, owner, field, descriptor);
        }
        case Opcodes.GETFIELD -> {
          boolean isTold = isReference && !isConstructor;
          if (isTold) {
            dup();
          }
          super.visitFieldInsn(opcode, owner, field, descriptor);
          if (isTold) {
            dupX1();
            named(owner, field);
            tell(
                "read",
                "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/String;Ljava/lang/String;)V");
          }
        }
        default -> {
          super.visitFieldInsn(opcode, owner, field, descriptor);
          if (isReference) {
            dup();
            super.visitInsn(Opcodes.ACONST_NULL);
            swap();
            named(owner, field);
            tell(
                "read",
                "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/String;Ljava/lang/String;)V");
          }
        }
      }
    }

    private void named(String owner, String field) {
      push(owner.replace('/', '.'));
      push(field);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.MONITORENTER) {
        dup();
        tell("monitor", "(Ljava/lang/Object;)V");
      } else if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
        int value = newLocal(stored(opcode));
        storeLocal(value);
        dup2();
        tell("element", "(Ljava/lang/Object;I)V");
        loadLocal(value);
      }
      if (opcode == Opcodes.AALOAD) {
        dup2();
        dup2();
        super.visitInsn(opcode);
        tell("readElement", "(Ljava/lang/Object;ILjava/lang/Object;)V");
      }
      super.visitInsn(opcode);
    }

    private static Type stored(int opcode) {
      return switch (opcode) {
        case Opcodes.LASTORE -> Type.LONG_TYPE;
        case Opcodes.DASTORE -> Type.DOUBLE_TYPE;
        case Opcodes.FASTORE -> Type.FLOAT_TYPE;
        case Opcodes.AASTORE -> Type.getObjectType("java/lang/Object");
        default -> Type.INT_TYPE;
      };
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String method, String descriptor, boolean isInterface) {
      if (opcode != Opcodes.INVOKESTATIC && opcode != Opcodes.INVOKESPECIAL) {
        Type[] parameters = Type.getArgumentTypes(descriptor);
        if (owner.equals("java/lang/invoke/VarHandle")) {
          if (parameters.length > 0 && !HANDLE_READS.matcher(method).matches()) {
            tellOfHandle(parameters);
          }
        } else if (owner.endsWith("/misc/Unsafe")) {
          if (UNSAFE_WRITES.matcher(method).matches()) {
            tellOfUnsafe(parameters);
          }
        } else if (BUFFER.matcher(owner).matches() && method.startsWith("put")) {
          tellOfBuffer(parameters);
        }
      }
      super.visitMethodInsn(opcode, owner, method, descriptor, isInterface);
    }

    private int[] storeAll(Type[] parameters) {
      int[] locals = new int[parameters.length];
      for (int i = parameters.length - 1; i >= 0; i--) {
        locals[i] = newLocal(parameters[i]);
        storeLocal(locals[i]);
      }
      return locals;
    }

    private void loadAll(int[] locals) {
      for (int local : locals) {
        loadLocal(local);
      }
    }

    /** An object and the value; or an array or a buffer, an index and the value. */
    private void tellOfHandle(Type[] parameters) {
      int[] locals = storeAll(parameters);
      dup();
      loadLocal(locals[0]);
      if (parameters.length > 2
          && parameters[1].equals(Type.INT_TYPE)
          && isIndexed(parameters[0])) {
        loadLocal(locals[1]);
      } else {
        push(0);
      }
      tell("handle", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
      loadAll(locals);
    }

    private static boolean isIndexed(Type type) {
      return type.getSort() == Type.ARRAY || BUFFER.matcher(type.getInternalName()).matches();
    }

    /** An object and an offset, or an address, and the value. */
    private void tellOfUnsafe(Type[] parameters) {
      int[] locals = storeAll(parameters);
      if (parameters[0].equals(Type.LONG_TYPE)) {
        super.visitInsn(Opcodes.ACONST_NULL);
        loadLocal(locals[0]);
      } else {
        loadLocal(locals[0]);
        loadLocal(locals[1]);
      }
      tell("offset", "(Ljava/lang/Object;J)V");
      loadAll(locals);
    }

    private void tellOfBuffer(Type[] parameters) {
      int[] locals = storeAll(parameters);
      dup();
      tell("buffer", "(Ljava/nio/Buffer;)V");
      loadAll(locals);
    }

    /** What is stored here is not used after a branch. */
    @Override
    protected void updateNewLocals(Object[] newLocals) {
      Arrays.fill(newLocals, Opcodes.TOP);
    }
  }
}
