package rust

import "github.com/causaldocs/causal/knowledge/source"

// effects are packages and functions for storage, network, output or other processes.
var effects = source.EffectsOf(`
	async_std::fs async_std::net diesel hyper lettre mongodb postgres redis reqwest rusqlite sea_orm sqlx std::fs std::net
	std::process::Command tokio::fs tokio::net tokio::process tokio_postgres ureq`, "process.exit std::process.exit", map[string]string{
	"":             "println print sqlx",
	"std":          "fs net",
	"std::io":      "stdout stderr",
	"std::process": "Command",
	"tokio":        "fs net process",
})

// Effects implements source.Effector.
func (*resolver) Effects() *source.Effects { return effects }
