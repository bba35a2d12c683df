#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Terrace authors
# SPDX-License-Identifier: Apache-2.0

# What HBase's bin/hbase does for a class, as far as doctor depends on it: reads hbase-env.sh, and starts Java with
# heap, direct memory, options and a class path.
[[ $1 == --config ]] && HBASE_CONF_DIR=$2 && shift 2
. "$HBASE_CONF_DIR/hbase-env.sh"
sized() { case $1 in *[mMgG]) echo "$1" ;; *) echo "${1}m" ;; esac; }
if [[ $HBASE_HEAPSIZE ]]; then heap=-Xmx$(sized "$HBASE_HEAPSIZE"); fi
if [[ $HBASE_OFFHEAPSIZE ]]; then direct=-XX:MaxDirectMemorySize=$(sized "$HBASE_OFFHEAPSIZE"); fi
more=
export CLASSPATH=$HBASE_CLASSPATH_PREFIX:$HBASE_CONF_DIR
for jar in "$HBASE_HOME"/lib/*.jar; do CLASSPATH+=:$jar; done
CLASSPATH+=:$more:$HBASE_CLASSPATH
exec "$JAVA_HOME/bin/java" $heap $direct $HBASE_OPTS $CLIENT_GC_OPTS -Dhbase.home.dir="$HBASE_HOME" \
  -Dhbase.log.dir="${HBASE_LOG_DIR:-$HBASE_HOME/logs}" "$@"
