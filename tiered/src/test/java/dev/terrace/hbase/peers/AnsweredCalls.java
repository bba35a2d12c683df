// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.MetricsConnection;
import org.apache.hadoop.hbase.ipc.NettyRpcClient;
import org.apache.hadoop.hbase.security.User;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingRpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/**
 * HBase's client, which runs a task when another server has answered, and before the caller gets
 * the answer: in the call, as far as the caller can tell, but without its time limit.
 */
public final class AnsweredCalls extends NettyRpcClient {

  private static final AtomicReference<Callable<?>> NEXT = new AtomicReference<>();

  /** HBase calls this. */
  public AnsweredCalls(
      Configuration conf,
      String cluster,
      SocketAddress local,
      MetricsConnection metrics,
      Map<String, byte[]> attributes) {
    super(conf, cluster, local, metrics, attributes);
  }

  /** Runs a task in the next call of a region server's coprocessor. */
  static void next(Callable<?> task) {
    NEXT.set(task);
  }

  @Override
  public BlockingRpcChannel createBlockingRpcChannel(ServerName server, User user, int millis) {
    BlockingRpcChannel channel = super.createBlockingRpcChannel(server, user, millis);
    return (method, controller, request, prototype) -> {
      Message answer = channel.callBlockingMethod(method, controller, request, prototype);
      if (method.getName().equals("ExecRegionServerService")) {
        run(NEXT.getAndSet(null));
      }
      return answer;
    };
  }

  private static void run(Callable<?> task) throws ServiceException {
    try {
      if (task != null) {
        task.call();
      }
    } catch (Exception e) {
      throw new ServiceException(e);
    }
  }
}
