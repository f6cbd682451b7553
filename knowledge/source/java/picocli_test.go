package java

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestPicocli(t *testing.T) {
	t.Parallel()
	src := `package shop;
import picocli.CommandLine.*;
@Command(name = "tool", description = {"Does", "things."}, subcommands = {Add.class, HelpCommand.class})
class Tool {
	@Option(names = {"-p", "--port"}, description = "where", defaultValue = "80") private int port;
	@Option(names = "--loud") boolean loud;
	@Option(names = "--secret", hidden = true) boolean secret;
	@Mixin Common common;
	@Command(description = "Lists.", aliases = "l") void ls(@Option(names = "-x") int x) {}
}
class Common { @Option(names = "--color", paramLabel = "WHEN") String color; }
@Command(name = "add") class Add { }
`
	want := `command add =Add
command ls =Tool.ls |l ?Lists.
command tool =Tool ?Does things.
flag --color <Common :WHEN
flag --loud <Tool
flag --port <Tool |-p :port ~80 ?where
join  =Add <Tool
join  =Common <Tool
join  =Tool.ls <Tool`
	var b strings.Builder
	for _, x := range source.SortFacts((Language{}).Extract(context.Background(), "Tool.java", []byte(src)).Facts) {
		fmt.Fprintf(&b, "%s %s", x.Kind, x.Name)
		for _, part := range [][2]string{{"=", x.ID}, {"<", x.Of}, {"|", x.Also}, {":", x.Value}, {"~", x.Default}, {"?", x.Help}} {
			if part[1] != "" {
				fmt.Fprintf(&b, " %s%s", part[0], part[1])
			}
		}
		b.WriteString("\n")
	}
	if got := strings.TrimSpace(b.String()); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
