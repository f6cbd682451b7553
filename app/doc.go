// Package app joins the rooms to the outside world: the command line, configuration, git. Nothing imports it but main.
// Its tests hold the whole project to its architecture.
package app
