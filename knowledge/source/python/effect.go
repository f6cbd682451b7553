package python

import "github.com/causaldocs/causal/knowledge/source"

// effects are the packages and functions by which programs reach storage, the network, an output or another process.
var effects = source.EffectsOf(`
	MySQLdb aiohttp aiosqlite asyncpg boto3 botocore celery django.db elasticsearch http.client httpcore httpx kafka motor
	paramiko peewee pika psycopg psycopg2 pymongo pymysql redis requests shutil smtplib socket sqlalchemy sqlite3 sqlmodel
	ssl subprocess tempfile tortoise urllib.request urllib3 websockets`, source.Effects{
	"":        "open print",
	"anyio":   "connect_tcp open_file run_process",
	"asyncio": "open_connection start_server create_subprocess_exec create_subprocess_shell",
	"os":      "makedirs mkdir open remove rename replace rmdir system unlink write fsync",
})

// HasEffect implements source.Effector.
func (*resolver) HasEffect(imported, name string) bool { return effects.HasEffect(imported, name) }

// Ends implements source.Effector.
func (*resolver) Ends(imported, name string) bool {
	return imported == "sys" && name == "exit" || imported == "" && name == "exit"
}
