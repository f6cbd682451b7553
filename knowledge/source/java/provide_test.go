package java_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/java"
)

func TestProvidedServices(t *testing.T) {
	t.Parallel()
	src := `/** All of it. */
open module org.shop {
	requires java.base;
	exports org.shop.api;
	uses org.shop.api.Plug;
	provides org.shop.api.Plug with org.shop.round.Round, org.shop.flat.Flat;
	provides org.shop.api.Log
		with org.shop.log.Disk;
	provides org.shop.other.Log with org.shop.log.Disk;
	provides Nameless with X;
	provides org.shop.Broken
}
`
	f := java.Language{}.Extract(context.Background(), "src/main/java/module-info.java", []byte(src))
	got := ""
	for _, x := range f.Facts {
		if x.Kind == source.Register {
			got += fmt.Sprintf("%d %s <- %s\n", x.Line, x.Of, x.ID)
		}
	}
	want := "6 Plug <- Round\n6 Plug <- Flat\n7 Log <- Disk\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if other := (java.Language{}).Extract(context.Background(), "src/main/java/Other.java", []byte(src)); len(other.Facts) > 0 {
		t.Errorf("another file has %v", other.Facts)
	}
}
