package java

import "github.com/causaldocs/causal/knowledge/source"

// effects are packages and functions for storage, network, output or other processes.
var effects = source.EffectsOf(`
	com.mongodb jakarta.mail jakarta.persistence java.io.FileInputStream java.io.FileOutputStream java.io.FileReader
	java.io.FileWriter java.io.RandomAccessFile java.net java.net.http java.nio.channels java.nio.file.Files java.sql
	javax.mail javax.persistence javax.sql okhttp3 org.apache.http org.apache.ibatis org.hibernate org.jooq org.mybatis
	org.springframework.data org.springframework.jdbc org.springframework.jms org.springframework.kafka
	org.springframework.mail org.springframework.web.client org.springframework.web.reactive.function.client redis.clients`, "System.exit", map[string]string{
	"":              "ProcessBuilder Runtime",
	"java.io":       "File FileInputStream FileOutputStream FileReader FileWriter PrintStream RandomAccessFile",
	"java.lang":     "ProcessBuilder Runtime",
	"java.nio.file": "Files",
})

// Effects implements source.Effector.
func (*resolver) Effects() *source.Effects { return effects }
