// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0
package dev.terrace.hbase.peers;

import dev.terrace.hbase.settings.WarmRate;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/**
 * Who may take cached blocks: processes with the principal of HBase's region servers, and no user,
 * since a block has cells that its reader may not be allowed to read.
 *
 * @param isOn whether anybody may; without Kerberos that takes a setting
 * @param isSecure whether HBase authenticates its callers, with Kerberos
 * @param isConfidential whether HBase encrypts all that it answers
 */
record PeerAccess(boolean isOn, boolean isSecure, boolean isConfidential) {

  private static final Pattern HOST = Pattern.compile("/[^@]*");

  static PeerAccess of(Configuration conf, WarmRate rate) {
    boolean isSecure = User.isHBaseSecurityEnabled(conf);
    boolean hasPrivacy =
        isSecure && conf.getTrimmed("hbase.rpc.protection", "").equalsIgnoreCase("privacy");
    boolean hasTls =
        conf.getBoolean("hbase.server.netty.tls.enabled", false)
            && !conf.getBoolean("hbase.server.netty.tls.supportplaintext", true);
    boolean isOn = rate.isOn() && (isSecure || rate.trustsPeers());
    return new PeerAccess(isOn, isSecure, hasPrivacy || hasTls);
  }

  /**
   * Checks the caller of a request.
   *
   * @param caller null if it is not known
   * @param own this process's own identity
   */
  void require(UserGroupInformation caller, UserGroupInformation own) throws AccessDeniedException {
    AuthenticationMethod method =
        isSecure ? AuthenticationMethod.KERBEROS : AuthenticationMethod.SIMPLE;
    // A token, or an impersonation, does not prove that the caller is a server.
    if (!isOn
        || caller == null
        || caller.getRealUser() != null
        || caller.getAuthenticationMethod() != method
        || !service(caller.getUserName()).equals(service(own.getUserName()))) {
      throw new AccessDeniedException(
          "cached blocks are for region servers alone, caller=" + caller);
    }
  }

  /** A principal without its host: those of a service differ in it. */
  private static String service(String principal) {
    return HOST.matcher(principal).replaceFirst("/");
  }
}
