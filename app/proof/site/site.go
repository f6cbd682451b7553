// Package site tests the pages as sites: MkDocs builds, builds of existing sites, formatters and linters.
package site
