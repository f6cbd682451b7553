package python

import (
	"fmt"
	"os"
	"testing"
)

func TestDump(t *testing.T) {
	src, _ := os.ReadFile(os.Getenv("DUMP"))
	f := Language{}.Extract(os.Getenv("DUMP"), src)
	for _, s := range f.Symbols {
		fmt.Println(s.Name, s.Guard, s.Body)
	}
	fmt.Println("FILE", f.Body)
	for _, i := range f.Imports {
		fmt.Println(i)
	}
}
