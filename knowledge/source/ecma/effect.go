package ecma

import "github.com/causaldocs/causal/knowledge/source"

// effects lists packages and functions that access storage, the network, an output or another process.
var effects = source.EffectsOf(`
	@aws-sdk @clickhouse/client @prisma/client amqplib axios better-sqlite3 bullmq child_process dgram drizzle-orm execa
	fs fs-extra fs/promises got http http2 https ioredis kafkajs knex ky mongodb mongoose mysql mysql2 net node-fetch
	node:child_process node:dgram node:fs node:fs/promises node:http node:http2 node:https node:net node:tls nodemailer pg
	redis sequelize socket.io sqlite3 superagent tls typeorm undici ws`, "process.exit", map[string]string{
	"": "fetch XMLHttpRequest WebSocket localStorage sessionStorage",
})

// Effects implements source.Effector.
func (*resolver) Effects() *source.Effects { return effects }
