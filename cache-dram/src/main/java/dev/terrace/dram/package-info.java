// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** The DRAM tier: W-TinyLFU over clocks decides what stays, Netty's direct memory is where it lies. */
package dev.terrace.dram;
