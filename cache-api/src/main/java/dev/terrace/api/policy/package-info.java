// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** What policies decide by: how full a tier is, how often keys come, and trials on a sample of them. */
package dev.terrace.api.policy;
