// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Calls the {@link PeerEndpoint} of another region server, once and for a second at most: HBase's
 * own clients try again, and wait longer. Thread-safe.
 */
final class PeerClient implements AutoCloseable {

  /** Time limit of a call. */
  static final int TIMEOUT_MILLIS = 1000;

  /** HBase requires one, and does not read it. */
  private static final RegionSpecifier NO_REGION =
      RegionSpecifier.newBuilder()
          .setType(RegionSpecifierType.REGION_NAME)
          .setValue(ByteString.EMPTY)
          .build();

  private final RpcClient client;
  private final User self;

  /**
   * Connects to nothing yet.
   *
   * @param self the user that calls
   */
  PeerClient(Configuration conf, User self) {
    Configuration own = new Configuration(conf);
    own.setInt(RpcClient.SOCKET_TIMEOUT_CONNECT, TIMEOUT_MILLIS);
    this.self = self;
    this.client = RpcClientFactory.createClient(own, HConstants.CLUSTER_ID_DEFAULT);
  }

  /**
   * Asks a server.
   *
   * @throws IOException if it does not answer in time; of the kind that it threw, if it did
   */
  byte[] call(ServerName server, byte[] request) throws IOException {
    CoprocessorServiceRequest call =
        CoprocessorServiceRequest.newBuilder()
            .setRegion(NO_REGION)
            .setCall(
                CoprocessorServiceCall.newBuilder()
                    .setRow(ByteString.EMPTY)
                    .setServiceName(PeerEndpoint.SERVICE)
                    .setMethodName(PeerEndpoint.METHOD)
                    .setRequest(UnsafeByteOperations.unsafeWrap(PeerEndpoint.message(request))))
            .build();
    try {
      return PeerEndpoint.payload(
          ClientService.newBlockingStub(
                  client.createBlockingRpcChannel(server, self, TIMEOUT_MILLIS))
              .execRegionServerService(null, call)
              .getValue()
              .getValue()
              .newCodedInput());
    } catch (ServiceException e) {
      IOException cause = e.getCause() instanceof IOException thrown ? thrown : new IOException(e);
      throw cause instanceof RemoteException remote ? remote.unwrapRemoteException() : cause;
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
