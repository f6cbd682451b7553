// Package app joins the rooms to the outside world: the command line, the server, git, GitHub. Nothing imports it but main.
// Its tests hold the whole project to its architecture.
package app
