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
package dev.terrace.pmem;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls of the C library of a 64-bit Linux that the JDK lacks. Thread-safe. */
final class LibC {

  static final int EINTR = 4;
  static final int EINVAL = 22;
  static final int ENOSPC = 28;
  static final int ENOSYS = 38;
  static final int EOPNOTSUPP = 95;

  static final int O_RDWR = 2;
  static final int O_CLOEXEC = 0x80000;

  static final int MADV_HUGEPAGE = 14;

  private static final Logger LOG = LoggerFactory.getLogger(LibC.class);

  private LibC() {}

  /**
   * The C library, if it can be reached. JNA unpacks its own library to a temporary folder, which
   * may forbid to run code. A library of another version, which the system may have, makes JNA
   * throw a bare {@link Error}.
   */
  static Optional<LibC> load() {
    try {
      Functions.register();
      return Optional.of(new LibC());
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Error | IllegalArgumentException e) {
      LOG.debug("JNA cannot be used", e);
      return Optional.empty();
    }
  }

  /**
   * Opens an existing file.
   *
   * @return a descriptor, to be closed with {@link #close}
   * @throws LastErrorException with the error number
   */
  int open(String path, int flags) {
    return Functions.open(
        Native.toByteArray(path, System.getProperty("sun.jnu.encoding", "UTF-8")), flags);
  }

  /** Closes a descriptor. */
  void close(int descriptor) {
    Functions.close(descriptor);
  }

  /**
   * Reserves the disk space of a part of a file, and extends the file to it.
   *
   * @return 0, or the error number
   */
  int posixFallocate(int descriptor, long offset, long lengthBytes) {
    return Functions.posix_fallocate(descriptor, offset, lengthBytes);
  }

  /**
   * Advises the kernel on the use of memory.
   *
   * @throws LastErrorException with the error number
   */
  void madvise(Pointer address, long lengthBytes, int advice) {
    Functions.madvise(address, new NativeLong(lengthBytes), advice);
  }

  /** Named as in C, where JNA looks for them. */
  private static final class Functions {

    static void register() {
      Native.register(Functions.class, "c");
    }

    static native int open(byte[] path, int flags) throws LastErrorException;

    static native int close(int descriptor) throws LastErrorException;

    static native int posix_fallocate(int descriptor, long offset, long lengthBytes);

    static native int madvise(Pointer address, NativeLong lengthBytes, int advice)
        throws LastErrorException;
  }
}
