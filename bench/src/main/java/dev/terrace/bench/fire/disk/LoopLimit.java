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
package dev.terrace.bench.fire.disk;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Sets how much of its file a loop device in use shows. All I/O beyond fails with EIO, and works
 * again when the limit is gone. No command of the system does this.
 */
final class LoopLimit {

  /** {@code struct loop_info64} of Linux, and the offset of {@code lo_sizelimit} in it. */
  private static final int INFO_BYTES = 232;

  private static final int SIZE_LIMIT_AT = 32;
  private static final long LOOP_SET_STATUS64 = 0x4C04;
  private static final long LOOP_GET_STATUS64 = 0x4C05;
  private static final int O_RDWR = 2;

  private LoopLimit() {}

  /** The calls of the C library, named as there. */
  interface LibC extends Library {

    int open(String path, int flags) throws LastErrorException;

    int ioctl(int descriptor, NativeLong request, byte[] argument) throws LastErrorException;

    int close(int descriptor) throws LastErrorException;
  }

  /** Sets the limit of a loop device in bytes; 0 is the whole file. */
  static void set(String device, long bytes) throws IOException {
    try {
      LibC c = Native.load("c", LibC.class);
      int descriptor = c.open(device, O_RDWR);
      try {
        byte[] info = new byte[INFO_BYTES];
        c.ioctl(descriptor, new NativeLong(LOOP_GET_STATUS64), info);
        ByteBuffer.wrap(info).order(ByteOrder.nativeOrder()).putLong(SIZE_LIMIT_AT, bytes);
        c.ioctl(descriptor, new NativeLong(LOOP_SET_STATUS64), info);
      } finally {
        c.close(descriptor);
      }
    } catch (LastErrorException | LinkageError e) {
      throw new IOException(device + ": its size limit cannot be set to " + bytes, e);
    }
  }
}
