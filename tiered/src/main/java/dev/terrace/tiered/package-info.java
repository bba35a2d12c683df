// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** Composes the tiers into one cache: lookup order, promotion and demotion. */
package dev.terrace.tiered;
