package main

import "path"

// library is a measured repository.
type library struct {
	repository, commit string
	heldOut            bool // not used to tune the generator
}

func (l library) name() string { return path.Base(l.repository) }

// libraries have no dependencies, so nothing is downloaded.
var libraries = []library{
	{repository: "google/uuid", commit: "2d3c2a9cc518326daf99a383f07c4d3c44317e4d"},
	{repository: "Masterminds/semver", commit: "71f2b39f5a1f18100def1d01ef4f59576e4c6da2"},
	{repository: "go-chi/chi", commit: "735ae2b87f8c733d616e809ae86e0985c1bc3350"},
	{repository: "dustin/go-humanize", commit: "4d1d9082551ec085912e7d2253a33ae547fca000", heldOut: true},
	{repository: "hashicorp/go-version", commit: "8f84cf4e0c536ec09e197abb7dd32bebb3ee2390"},
	{repository: "hashicorp/golang-lru", commit: "5dd697da12cfd1af9605fbf9968cac4104eb1788", heldOut: true},
	{repository: "iancoleman/strcase", commit: "531aaa44de12ec166ceb71d9bdad7c8295e4235f", heldOut: true},
}
