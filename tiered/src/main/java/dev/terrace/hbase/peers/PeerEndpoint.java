// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.lang3.reflect.MethodUtils;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hbase.thirdparty.com.google.protobuf.BytesValue;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.TextFormat;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * A coprocessor service of a region server with one method that takes and returns bytes.
 *
 * <p>Such a service implements an interface of Google's protobuf in HBase 2, and of HBase's shaded
 * copy of it from HBase 3 on. So it is a proxy for the interface that HBase's method takes, and its
 * message a dynamic one, with the field of a {@link BytesValue}.
 */
final class PeerEndpoint implements InvocationHandler {

  static final String SERVICE = "terrace.Peers";
  static final String METHOD = "blocks";

  private static final String DESCRIPTION =
      """
      name: "terrace.proto" package: "terrace"
      message_type {
        name: "Bytes" field { name: "value" number: 1 label: LABEL_OPTIONAL type: TYPE_BYTES }
      }
      service {
        name: "Peers"
        method { name: "blocks" input_type: ".terrace.Bytes" output_type: ".terrace.Bytes" }
      }
      """;

  /** Answers requests. Called by HBase's handlers; must not wait. */
  @FunctionalInterface
  interface Answering {
    ByteBuffer answer(byte[] request) throws IOException;
  }

  private final Answering answering;
  private final Object service;
  private final Object empty;
  private final Object field;
  private final Class<?> byteString;

  PeerEndpoint(String protobuf, Answering answering)
      throws ReflectiveOperationException, IOException {
    this.answering = answering;
    Object proto =
        MethodUtils.invokeStaticMethod(
            Class.forName(protobuf + "DescriptorProtos$FileDescriptorProto"),
            "parseFrom",
            (Object) TextFormat.parse(DESCRIPTION, FileDescriptorProto.class).toByteArray());
    Class<?> files = Class.forName(protobuf + "Descriptors$FileDescriptor");
    Object file =
        files
            .getMethod("buildFrom", proto.getClass(), files.arrayType())
            .invoke(null, proto, Array.newInstance(files, 0));
    this.service = ((List<?>) MethodUtils.invokeMethod(file, "getServices")).get(0);
    Object message = ((List<?>) MethodUtils.invokeMethod(file, "getMessageTypes")).get(0);
    this.field = MethodUtils.invokeMethod(message, "findFieldByNumber", 1);
    this.empty =
        MethodUtils.invokeStaticMethod(
            Class.forName(protobuf + "DynamicMessage"), "getDefaultInstance", message);
    this.byteString = Class.forName(protobuf + "ByteString");
  }

  /**
   * Registers the service.
   *
   * @throws ReflectiveOperationException if this version of HBase is not known
   */
  static void register(HRegionServer server, Answering answering)
      throws ReflectiveOperationException, IOException {
    Method register =
        Arrays.stream(HRegionServer.class.getMethods())
            .filter(method -> method.getName().equals("registerService"))
            .findFirst()
            .orElseThrow(() -> new NoSuchMethodException("registerService"));
    Class<?> type = register.getParameterTypes()[0];
    PeerEndpoint endpoint = new PeerEndpoint(type.getPackageName() + ".", answering);
    Object proxy = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, endpoint);
    if (!(boolean) register.invoke(server, proxy)) {
      throw new IllegalStateException("there is another service " + SERVICE);
    }
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments)
      throws ReflectiveOperationException {
    return switch (method.getName()) {
      case "getDescriptorForType" -> service;
      case "getRequestPrototype", "getResponsePrototype" -> empty;
      case "callMethod" -> {
        call((ServerRpcController) arguments[1], arguments[2], arguments[3]);
        yield null;
      }
      default -> method.invoke(this, arguments);
    };
  }

  private void call(ServerRpcController controller, Object request, Object callback)
      throws ReflectiveOperationException {
    try {
      byte[] bytes = (byte[]) MethodUtils.invokeMethod(request, "toByteArray");
      ByteBuffer answer = answering.answer(payload(CodedInputStream.newInstance(bytes)));
      Object builder = MethodUtils.invokeMethod(empty, "newBuilderForType");
      Object copy = MethodUtils.invokeStaticMethod(byteString, "copyFrom", answer);
      MethodUtils.invokeMethod(builder, "setField", field, copy);
      MethodUtils.invokeMethod(callback, "run", MethodUtils.invokeMethod(builder, "build"));
    } catch (IOException e) {
      controller.setFailedOn(e);
    } catch (RuntimeException | Error e) {
      controller.setFailedOn(new DoNotRetryIOException("Terrace could not answer", e));
    }
  }

  /** The message that carries bytes. */
  static byte[] message(byte[] payload) {
    return BytesValue.of(UnsafeByteOperations.unsafeWrap(payload)).toByteArray();
  }

  /** The bytes that a message carries. */
  static byte[] payload(CodedInputStream message) throws IOException {
    return message.readTag() == 0 ? new byte[0] : message.readByteArray();
  }
}
