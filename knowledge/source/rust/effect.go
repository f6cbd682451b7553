package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// effects are the packages and functions by which programs reach storage, the network, an output or another process.
var effects = source.EffectsOf(`
	async_std::fs async_std::net diesel hyper lettre mongodb postgres redis reqwest rusqlite sea_orm sqlx std::fs std::net
	std::process::Command tokio::fs tokio::net tokio::process tokio_postgres ureq`, source.Effects{
	"":             "println print sqlx",
	"std":          "fs net",
	"std::io":      "stdout stderr",
	"std::process": "Command",
	"tokio":        "fs net process",
})

// HasEffect implements source.Effector.
func (*resolver) HasEffect(imported, name string) bool { return effects.HasEffect(imported, name) }

// Ends implements source.Effector.
func (*resolver) Ends(imported, name string) bool {
	return name == "exit" && strings.HasSuffix(imported, "process")
}
