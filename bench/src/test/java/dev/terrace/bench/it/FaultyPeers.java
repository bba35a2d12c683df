// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.bench.it;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.BytesValue;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Terrace's service that gives blocks to other region servers, with the fault that a file names:
 * {@link #LIES}, or the id of a process that dies before the third answer.
 */
final class FaultyPeers implements Service {

  /** The setting that has the path of the file. */
  static final String FAULT = "terrace.test.fault";

  /**
   * By turns, a byte of an answer is flipped, or each block but the first comes in the place of the
   * next one, with the checksum that is right there.
   */
  static final String LIES = "lies";

  private final Service honest;
  private final Path fault;
  private final AtomicInteger answers = new AtomicInteger();

  FaultyPeers(Service honest, Configuration settings) {
    this.honest = honest;
    this.fault = Path.of(settings.get(FAULT));
  }

  @Override
  public ServiceDescriptor getDescriptorForType() {
    return honest.getDescriptorForType();
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor method) {
    return honest.getRequestPrototype(method);
  }

  @Override
  public Message getResponsePrototype(MethodDescriptor method) {
    return honest.getResponsePrototype(method);
  }

  @Override
  public void callMethod(
      MethodDescriptor method, RpcController calls, Message request, RpcCallback<Message> then) {
    honest.callMethod(method, calls, request, answer -> then.run(faulty(request, answer)));
  }

  private Message faulty(Message request, Message answer) {
    try {
      if (!Files.exists(fault)) {
        return answer;
      }
      int number = answers.incrementAndGet();
      String kind = Files.readString(fault);
      if (kind.equals(LIES)) {
        byte[] bytes = lie(number, payload(request), payload(answer));
        return answer
            .newBuilderForType()
            .mergeFrom(BytesValue.of(UnsafeByteOperations.unsafeWrap(bytes)).toByteArray())
            .build();
      }
      if (number == 3) {
        int unused = new ProcessBuilder("sh", "-c", "kill -9 " + kind).start().waitFor();
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException());
    }
  }

  private static byte[] payload(Message message) throws IOException {
    return BytesValue.parseFrom(message.toByteArray()).getValue().toByteArray();
  }

  private static byte[] lie(int number, byte[] request, byte[] answer) throws IOException {
    if (number % 2 == 0) {
      answer[answer.length / 2] ^= 1;
      return answer;
    }
    List<byte[]> places = new ArrayList<>();
    DataInputStream asked = new DataInputStream(new ByteArrayInputStream(request));
    for (int left = asked.readInt(); left > 0; left--) {
      places.add(Bytes.add(Bytes.toBytes(asked.readUTF()), Bytes.toBytes(asked.readLong())));
    }
    ByteArrayOutputStream lies = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(lies);
    byte[] previous = null;
    for (ByteBuffer in = ByteBuffer.wrap(answer); in.hasRemaining(); ) {
      int index = in.getInt();
      byte[] block = new byte[in.getInt()];
      in.getInt();
      in.get(block);
      byte[] sent = previous == null ? block : previous;
      CRC32C check = new CRC32C();
      check.update(places.get(index));
      check.update(sent);
      out.writeInt(index);
      out.writeInt(sent.length);
      out.writeInt((int) check.getValue());
      out.write(sent);
      previous = block;
    }
    return lies.toByteArray();
  }
}
