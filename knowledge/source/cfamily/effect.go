package cfamily

import "github.com/causaldocs/causal/knowledge/source"

// effects are headers and functions for storage, network, output or other processes.
var effects = source.EffectsOf(`
	curl/curl.h fstream iostream libpq-fe.h sqlite3.h sys/socket.h`, "_exit abort exit", map[string]string{
	"": "accept bind connect execl execv execve execvp fclose fflush fopen fork fprintf fputc fputs fread freopen fsync " +
		"fwrite listen open openat pclose popen printf pread putc putchar puts pwrite read recv recvfrom remove rename " +
		"select send sendfile sendto socket system unlink vfprintf write writev",
})

// Effects implements source.Effector.
func (*resolver) Effects() *source.Effects { return effects }
