// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** What a tier has to know of the files whose blocks it holds. */
package dev.terrace.region.files;
