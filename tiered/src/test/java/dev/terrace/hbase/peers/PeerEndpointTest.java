// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.Service;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The service with each of the two copies of protobuf that versions of HBase use. */
@Tag("hadoop")
final class PeerEndpointTest {

  private static <T> T service(Class<T> type, PeerEndpoint.Answering answering) throws Exception {
    PeerEndpoint endpoint = new PeerEndpoint(type.getPackageName() + ".", answering);
    return type.cast(
        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, endpoint));
  }

  private static ByteBuffer doubled(byte[] request) {
    return ByteBuffer.allocate(2 * request.length).put(request).put(request).flip();
  }

  @Test
  void answersAsHBase3Asks() throws Exception {
    Service service = service(Service.class, PeerEndpointTest::doubled);
    assertThat(service.getDescriptorForType().getFullName()).isEqualTo(PeerEndpoint.SERVICE);
    MethodDescriptor method = service.getDescriptorForType().findMethodByName(PeerEndpoint.METHOD);
    Message request =
        service
            .getRequestPrototype(method)
            .newBuilderForType()
            .mergeFrom(PeerEndpoint.message(new byte[] {1, 2, 3}))
            .build();
    List<Message> answers = new ArrayList<>();

    service.callMethod(method, null, request, answers::add);

    // As HBase sends it: merged into a builder of the prototype.
    Message sent =
        service.getResponsePrototype(method).newBuilderForType().mergeFrom(answers.get(0)).build();
    assertThat(PeerEndpoint.payload(sent.toByteString().newCodedInput()))
        .containsExactly(1, 2, 3, 1, 2, 3);
  }

  @Test
  void refusalsAndErrorsReachTheCallerAsHBasesExceptions() throws Exception {
    List<Throwable> thrown =
        List.of(new AccessDeniedException("no"), new OutOfMemoryError("as asked"));
    for (Throwable each : thrown) {
      com.google.protobuf.Service service =
          service(
              com.google.protobuf.Service.class,
              request -> {
                if (each instanceof Error error) {
                  throw error;
                }
                throw (AccessDeniedException) each;
              });
      com.google.protobuf.Descriptors.MethodDescriptor method =
          service.getDescriptorForType().findMethodByName(PeerEndpoint.METHOD);
      ServerRpcController controller = new ServerRpcController();
      service.callMethod(method, controller, service.getRequestPrototype(method), answer -> {});
      assertThat(controller.getFailedOn()).isNotNull();
      assertThat(controller.getFailedOn() == each || controller.getFailedOn().getCause() == each)
          .isTrue();
    }
  }
}
