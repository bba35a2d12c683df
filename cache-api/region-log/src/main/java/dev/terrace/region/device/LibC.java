// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.region.device;

import com.sun.jna.Function;
import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** C library functions of 64-bit Linux that the JDK lacks. Thread-safe. */
public final class LibC {

  public static final int EINTR = 4;
  private static final int EAGAIN = 11;
  private static final int EACCES = 13;
  public static final int ENOSPC = 28;

  public static final int O_RDONLY = 0;
  public static final int O_RDWR = 2;
  public static final int O_CLOEXEC = 0x80000;

  private static final int PROT_READ = 1;
  private static final int MAP_PRIVATE_FIXED_ANONYMOUS = 0x02 | 0x10 | 0x20;
  private static final int NO_FILE = -1;

  /** {@code struct flock}: type and whence as shorts, start and length as longs, process as int. */
  private static final int FLOCK_BYTES = 32;

  private static final int F_OFD_GETLK = 36;
  private static final int F_OFD_SETLK = 37;
  private static final short F_RDLCK = 0;
  private static final short F_WRLCK = 1;
  private static final short F_UNLCK = 2;

  private static final int AT_FDCWD = -100;
  private static final int STATX_BLOCKS = 0x400;
  private static final int STATX_DIOALIGN = 0x2000;

  /** {@code struct statx}: the mask of what is reported, blocks, alignments of direct I/O. */
  private static final int STATX_BYTES = 256;

  private static final int STATX_ALLOCATED = 48;
  private static final int STATX_BLOCK_BYTES = 512;
  private static final int STATX_DIO_MEMORY = 152;
  private static final int STATX_DIO_OFFSET = 156;

  private static final LibC LIB_C = new LibC();
  private static final Optional<Throwable> WHY_NOT = tryToLoad();

  private LibC() {}

  /** The C library, if it can be loaded. */
  public static Optional<LibC> load() {
    return WHY_NOT.isPresent() ? Optional.empty() : Optional.of(LIB_C);
  }

  /**
   * Why the C library cannot be loaded; empty if it can. An {@link UnsatisfiedLinkError} if JNA
   * cannot load its own library: it unpacks one for glibc to a temporary folder, which may be
   * mounted {@code noexec}. An IllegalCallerException if Java denies native access. Else an error
   * by JNA of another version, on the class path or on the system.
   */
  public static Optional<Throwable> whyNot() {
    return WHY_NOT;
  }

  private static Optional<Throwable> tryToLoad() {
    try {
      Native.register(LibC.class, "c");
      return Optional.empty();
    } catch (VirtualMachineError e) {
      throw e;
    } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
      // The second, if other code has already tried.
      return Optional.of(e.getCause() == null ? e : e.getCause());
    } catch (Error | IllegalArgumentException e) {
      // Not logged: callers report what they do without it, and the tools, which also ask, have no
      // log.
      return Optional.of(e);
    }
  }

  /**
   * Opens an existing file.
   *
   * @return a descriptor, to be closed with {@link #close}
   * @throws LastErrorException with the error number
   */
  public int open(String path, int flags) {
    return checked(open(bytes(path), flags));
  }

  /**
   * The alignment in memory and in the file that direct I/O needs, in bytes, as the file system
   * reports it; 0 if it has no direct I/O. Empty if Linux before 6.1, the file system or the C
   * library does not report it.
   */
  public Optional<Integer> directIoAlignment(String path) {
    return status(path, STATX_DIOALIGN)
        .map(s -> Math.max(s.getInt(STATX_DIO_MEMORY), s.getInt(STATX_DIO_OFFSET)));
  }

  /** What a file takes on its disk, in bytes; empty if the system does not report it. */
  public Optional<Long> allocatedBytes(String path) {
    return status(path, STATX_BLOCKS).map(s -> s.getLong(STATX_ALLOCATED) * STATX_BLOCK_BYTES);
  }

  /** A {@code struct statx} with what is wanted, if that is reported. */
  private static Optional<ByteBuffer> status(String path, int wanted) {
    byte[] bytes = new byte[STATX_BYTES];
    Object[] arguments = {AT_FDCWD, bytes(path), 0, wanted, bytes};
    try {
      // Not registered with the others, because older C libraries lack it.
      int failed = Function.getFunction("c", "statx").invokeInt(arguments);
      ByteBuffer status = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
      return Optional.of(status).filter(s -> failed == 0 && (s.getInt(0) & wanted) != 0);
    } catch (UnsatisfiedLinkError e) {
      return Optional.empty();
    }
  }

  private static byte[] bytes(String path) {
    return Native.toByteArray(path, System.getProperty("sun.jnu.encoding", "UTF-8"));
  }

  /** The text of an error number in this process's language, as in exceptions of the JDK. */
  public String text(int error) {
    return strerror(error).getString(0, System.getProperty("sun.jnu.encoding", "UTF-8"));
  }

  /** The effective user id, which JDK 17 does not know for a user without a name. */
  public long effectiveUser() {
    return Integer.toUnsignedLong(geteuid());
  }

  /**
   * Closes a descriptor.
   *
   * @return 0, or -1 if the system reports an error; the descriptor is closed in any case
   */
  public native int close(int descriptor);

  /**
   * Reserves the disk space of a part of a file, and extends the file to it.
   *
   * @return 0, or the error number
   */
  public native int posix_fallocate(int descriptor, long offset, long lengthBytes);

  /**
   * Replaces a mapping by read-only zeros. A file that was mapped there is no longer held.
   *
   * @throws LastErrorException with the error number
   */
  public void mapZeros(Pointer address, long lengthBytes) {
    NativeLong length = new NativeLong(lengthBytes);
    NativeLong start = new NativeLong(0);
    checked(mmap(address, length, PROT_READ, MAP_PRIVATE_FIXED_ANONYMOUS, NO_FILE, start));
  }

  /**
   * Locks a whole file through its open file description: other descriptions cannot lock it, not
   * even in this process. The lock lasts until the last descriptor of this description is closed.
   *
   * @param descriptor open for writing, if the lock is exclusive
   * @return false if another description has locked the file
   * @throws LastErrorException with the error number
   */
  public boolean tryLock(int descriptor, boolean exclusive) {
    try {
      checked(fcntl(descriptor, F_OFD_SETLK, flock(exclusive ? F_WRLCK : F_RDLCK)));
      return true;
    } catch (LastErrorException e) {
      if (e.getErrorCode() == EAGAIN || e.getErrorCode() == EACCES) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Whether another open file description has locked the file.
   *
   * @throws LastErrorException with the error number
   */
  public boolean isLocked(int descriptor) {
    byte[] lock = flock(F_WRLCK);
    checked(fcntl(descriptor, F_OFD_GETLK, lock));
    return ByteBuffer.wrap(lock).order(ByteOrder.nativeOrder()).getShort(0) != F_UNLCK;
  }

  /**
   * A lock on a whole file. In an array, because {@code Memory} differs between versions of JNA.
   */
  private static byte[] flock(short type) {
    byte[] lock = new byte[FLOCK_BYTES];
    ByteBuffer.wrap(lock).order(ByteOrder.nativeOrder()).putShort(0, type);
    return lock;
  }

  /** A call failed if its result says so: one that succeeds may change the error number, too. */
  private static int checked(int result) {
    if (result == -1) {
      throw new LastErrorException(Native.getLastError());
    }
    return result;
  }

  /* The functions of C, which JNA finds by their names. */

  private static native int open(byte[] path, int flags);

  private static native Pointer strerror(int error);

  private static native int geteuid();

  private static native int fcntl(int descriptor, int command, byte[] lock);

  /* Returns the address, or -1; an address ends in zeros, so its lower half is enough. */
  private static native int mmap(
      Pointer address,
      NativeLong lengthBytes,
      int protection,
      int flags,
      int descriptor,
      NativeLong offset);
}
