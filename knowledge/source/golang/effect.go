package golang

import "github.com/causaldocs/causal/knowledge/source"

// effects lists packages and functions that access storage, the network, an output or another process.
var effects = source.EffectsOf(`
	cloud.google.com/go database/sql github.com/aws/aws-sdk-go github.com/aws/aws-sdk-go-v2 github.com/dgraph-io/badger
	github.com/gomodule/redigo github.com/gorilla/websocket github.com/jackc/pgx github.com/jmoiron/sqlx github.com/lib/pq
	github.com/minio/minio-go github.com/redis/go-redis go.etcd.io/bbolt go.mongodb.org/mongo-driver
	golang.org/x/crypto/ssh gorm.io/gorm net/rpc net/smtp`, "log.Fatal log.Fatalf log.Fatalln os.Exit panic", map[string]string{
	"fmt":       "Print Printf Println",
	"io/ioutil": "ReadDir ReadFile TempFile TempDir WriteFile",
	"net":       "Dial DialTimeout Dialer Listen ListenConfig ListenPacket ListenTCP ListenUDP Conn Listener",
	"net/http": "Client DefaultClient Get Head Post PostForm NewRequest NewRequestWithContext Transport ListenAndServe " +
		"ListenAndServeTLS Serve ServeTLS Server Redirect Error ServeFile",
	"os": "Create CreateTemp File Mkdir MkdirAll MkdirTemp Open OpenFile ReadDir ReadFile Remove RemoveAll Rename " +
		"StartProcess Symlink WriteFile",
	"os/exec": "Command CommandContext Cmd",
})

// Effects implements source.Effector.
func (resolver) Effects() *source.Effects { return effects }
