package python

import "github.com/causaldocs/causal/knowledge/source"

// effects lists packages and functions that access storage, the network, an output or another process.
var effects = source.EffectsOf(`
	MySQLdb aiohttp aiosqlite asyncpg boto3 botocore celery django.db elasticsearch http.client httpcore httpx kafka motor
	paramiko peewee pika psycopg psycopg2 pymongo pymysql redis requests shutil smtplib socket sqlalchemy sqlite3 sqlmodel
	ssl subprocess tempfile tortoise urllib.request urllib3 websockets`, "exit sys.exit", map[string]string{
	"":        "open print",
	"anyio":   "connect_tcp open_file run_process",
	"asyncio": "open_connection start_server create_subprocess_exec create_subprocess_shell",
	"os":      "makedirs mkdir open remove rename replace rmdir system unlink write fsync",
})

// Effects implements source.Effector.
func (*resolver) Effects() *source.Effects { return effects }
