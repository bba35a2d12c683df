// SPDX-FileCopyrightText: The Terrace authors
// SPDX-License-Identifier: Apache-2.0

/** Folders of a cache: ownership of a path, its contents, and the split of a size over paths. */
package dev.terrace.region.folder;
