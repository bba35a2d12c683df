// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.writes;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the hits of some threads write. {@link WriteAgent} has the classes that a hit runs through
 * call the static methods here before each write.
 *
 * <p>The bootstrap loader loads this class, so that the JDK's classes can call it. So it needs
 * nothing but the JDK, and other classes see only what is public. One thread at a time may be
 * inside a hit.
 */
public final class WriteLog {

  private static final Object OFF_HEAP = "memory off the heap";
  private static final String NETTY = "Netty's pool";

  /** By class and name, and by class and offset. */
  private static final Map<String, Long> OFFSETS = new HashMap<>();

  private static final Map<Class<?>, Map<Long, Field>> FIELDS = new HashMap<>();

  /** The offset of the first element, and from one to the next. */
  private static final Map<Class<?>, int[]> ARRAYS = new HashMap<>();

  private static final IdentityHashMap<Object, Long> HANDLES = new IdentityHashMap<>();

  private WriteLog() {}

  /** A place in memory: of an object or an array, or off the heap. */
  private record Place(Object of, long offset) {

    @Override
    public boolean equals(Object other) {
      return other instanceof Place place && place.of == of && place.offset == offset;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(of) * 31 + Long.hashCode(offset);
    }
  }

  /** How often a thread wrote to a place. */
  private static final class Use {
    private final String field;
    private int hits;
    private int lastHit;
    private int countedHits;
    private int countedWrites;

    private Use(String field) {
      this.field = field;
    }
  }

  /**
   * Writes of a field, but for those to objects that a hit made for itself: to a place to which no
   * other hit ever wrote.
   *
   * @param writes for each hit
   * @param places to which they went
   * @param most the largest part of the hits that wrote to one place; if threads share a place, to
   *     one of those
   * @param isShared whether threads share a place
   */
  public record Row(String field, double writes, int places, double most, boolean isShared) {

    private Row with(Row other) {
      boolean isMine = isShared == other.isShared ? most >= other.most : isShared;
      return new Row(
          field,
          writes + other.writes,
          places + other.places,
          isMine ? most : other.most,
          isShared || other.isShared);
    }
  }

  /** A thread that hits blocks. */
  public static final class Reader extends Thread {

    private final Map<Place, Use> uses = new HashMap<>();
    private final IdentityHashMap<Object, String> names = new IdentityHashMap<>();
    private boolean isInside;
    private boolean isCounted;
    private int hit;
    private int countedHits;

    /** A thread that calls {@link #begin} and {@link #end}. */
    public Reader(Runnable hits) {
      super(hits, "reader");
    }

    /** Begins a hit of the current thread. */
    public static void begin(boolean isCounted) {
      Reader reader = (Reader) Thread.currentThread();
      reader.hit++;
      reader.isCounted = isCounted;
      reader.countedHits += isCounted ? 1 : 0;
      reader.isInside = true;
    }

    /** Ends it, after the block was released. */
    public static void end() {
      ((Reader) Thread.currentThread()).isInside = false;
    }

    private void write(Object of, long offset, String field) {
      Use use = uses.computeIfAbsent(new Place(of, offset), place -> new Use(field));
      if (use.lastHit != hit) {
        use.lastHit = hit;
        use.hits++;
        use.countedHits += isCounted ? 1 : 0;
      }
      use.countedWrites += isCounted ? 1 : 0;
    }

    /** The JDK's objects and arrays have the name of the field from which they were reached. */
    private String name(Object of) {
      String type = of.getClass().getName();
      return isOfNetty(type) ? NETTY : names.getOrDefault(of, simple(type));
    }

    private String name(Object of, String owner, String field) {
      if (of != null && isOfJdk(owner)) {
        return name(of);
      }
      return isOfNetty(owner) ? NETTY : simple(owner) + "." + field;
    }
  }

  private static boolean isOfJdk(String className) {
    return className.startsWith("java.") || className.startsWith("sun.");
  }

  private static boolean isOfNetty(String className) {
    return className.startsWith("io.netty.");
  }

  private static boolean isNamed(Object value) {
    return value != null
        && !(value instanceof String)
        && (value.getClass().isArray() || isOfJdk(value.getClass().getName()));
  }

  private static String simple(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  /** The thread, if it is inside a hit; then {@link #leave} comes next. */
  private static Reader enter() {
    if (Thread.currentThread() instanceof Reader reader && reader.isInside) {
      reader.isInside = false;
      return reader;
    }
    return null;
  }

  private static void leave(Reader reader) {
    reader.isInside = true;
  }

  // ---- Called by the classes that were changed ----

  /** A field is about to be written; of no object if it is static. */
  public static void field(Object of, String owner, String field) {
    Reader reader = enter();
    if (reader != null) {
      if (of == null) {
        String name = reader.name(null, owner, field);
        reader.write((owner + "." + field).intern(), 0, name);
      } else {
        reader.write(of, offset(of, owner, field), reader.name(of, owner, field));
      }
      leave(reader);
    }
  }

  /** An element of an array is about to be written. */
  public static void element(Object array, int index) {
    Reader reader = enter();
    if (reader != null) {
      reader.write(array, offset(array, index), reader.name(array));
      leave(reader);
    }
  }

  /** A monitor is about to be entered. */
  public static void monitor(Object of) {
    Reader reader = enter();
    if (reader != null) {
      reader.write(of, 0, monitor(reader, of));
      leave(reader);
    }
  }

  /** Something at an offset is about to be written; of no object off the heap. */
  public static void offset(Object of, long offset) {
    Reader reader = enter();
    if (reader != null) {
      write(reader, of == null ? OFF_HEAP : of, offset);
      leave(reader);
    }
  }

  /** A handle is about to write to an object, an array or a buffer. */
  public static void handle(Object handle, Object of, int index) {
    Reader reader = enter();
    if (reader != null) {
      if (of instanceof Buffer buffer) {
        bytes(reader, buffer, index);
      } else if (of.getClass().isArray()) {
        reader.write(of, offset(of, index), reader.name(of));
      } else {
        write(reader, of, HANDLES.computeIfAbsent(handle, key -> value(key, "fieldOffset")));
      }
      leave(reader);
    }
  }

  /** A buffer is about to be written. */
  public static void buffer(Buffer buffer) {
    Reader reader = enter();
    if (reader != null) {
      bytes(reader, buffer, 0);
      leave(reader);
    }
  }

  /** A reference was read from a field; of no object if it is static. */
  public static void read(Object of, Object value, String owner, String field) {
    Reader reader = enter();
    if (reader != null) {
      if (isNamed(value)) {
        reader.names.putIfAbsent(value, reader.name(of, owner, field));
      }
      leave(reader);
    }
  }

  /** A reference was read from an array. */
  public static void readElement(Object array, int index, Object value) {
    Reader reader = enter();
    if (reader != null) {
      if (isNamed(value)) {
        reader.names.putIfAbsent(value, reader.name(array));
      }
      leave(reader);
    }
  }

  private static String monitor(Reader reader, Object of) {
    String type = of.getClass().getName();
    return isOfJdk(type) || isOfNetty(type)
        ? reader.name(of, type, "")
        : simple(type) + "'s monitor";
  }

  private static void write(Reader reader, Object of, long offset) {
    if (of == OFF_HEAP) {
      reader.write(of, offset, OFF_HEAP.toString());
    } else if (of.getClass().isArray()) {
      reader.write(of, offset, reader.name(of));
    } else {
      Field field = fields(of.getClass()).get(offset);
      String owner = field.getDeclaringClass().getName();
      reader.write(of, offset, reader.name(of, owner, field.getName()));
    }
  }

  private static void bytes(Reader reader, Buffer buffer, int index) {
    if (buffer.isDirect()) {
      reader.write(OFF_HEAP, value(buffer, "address") + index, reader.name(buffer));
    } else {
      reader.write(buffer.array(), index, reader.name(buffer));
    }
  }

  // ---- Where things lie ----

  private static long offset(Object of, String owner, String name) {
    return OFFSETS.computeIfAbsent(
        owner + " " + name,
        key -> {
          Class<?> type = of.getClass();
          while (!type.getName().equals(owner)) {
            type = type.getSuperclass();
          }
          return offset(field(type, name));
        });
  }

  private static Field field(Class<?> type, String name) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          return field;
        }
      }
    }
    throw new IllegalStateException("no field " + name + " in " + type);
  }

  private static Map<Long, Field> fields(Class<?> type) {
    Map<Long, Field> known = FIELDS.get(type);
    if (known == null) {
      known = new HashMap<>();
      for (Class<?> at = type; at != null; at = at.getSuperclass()) {
        for (Field field : at.getDeclaredFields()) {
          if (!Modifier.isStatic(field.getModifiers())) {
            known.put(offset(field), field);
          }
        }
      }
      FIELDS.put(type, known);
    }
    return known;
  }

  private static long offset(Object array, int index) {
    int[] layout =
        ARRAYS.computeIfAbsent(
            array.getClass(),
            type ->
                new int[] {
                  (int) unsafe("arrayBaseOffset", Class.class, type),
                  (int) unsafe("arrayIndexScale", Class.class, type)
                });
    return layout[0] + (long) index * layout[1];
  }

  private static long offset(Field field) {
    return (long) unsafe("objectFieldOffset", Field.class, field);
  }

  /** By reflection, because the compiler warns of each direct use. */
  private static Object unsafe(String method, Class<?> type, Object argument) {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field only = unsafe.getDeclaredField("theUnsafe");
      only.setAccessible(true);
      Method found = unsafe.getMethod(method, type);
      return found.invoke(only.get(null), argument);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long value(Object of, String name) {
    try {
      Field field = field(of.getClass(), name);
      field.setAccessible(true);
      return field.getLong(of);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  // ---- Results ----

  /** What readers that have ended wrote in the hits that count, the most first. */
  public static List<Row> rows(List<Reader> readers) {
    double hits = readers.stream().mapToInt(reader -> reader.countedHits).sum();
    Map<Place, List<Use>> byPlace = new HashMap<>();
    for (Reader reader : readers) {
      reader.uses.forEach(
          (place, use) -> byPlace.computeIfAbsent(place, at -> new ArrayList<>()).add(use));
    }
    Map<String, Row> rows = new HashMap<>();
    for (List<Use> uses : byPlace.values()) {
      int counted = uses.stream().mapToInt(use -> use.countedHits).sum();
      if (counted > 0 && uses.stream().mapToInt(use -> use.hits).sum() > 1) {
        int writes = uses.stream().mapToInt(use -> use.countedWrites).sum();
        boolean isShared = uses.stream().filter(use -> use.countedHits > 0).count() > 1;
        String field = uses.get(0).field;
        rows.merge(field, new Row(field, writes / hits, 1, counted / hits, isShared), Row::with);
      }
    }
    return rows.values().stream().sorted(Comparator.comparing(Row::writes).reversed()).toList();
  }
}
