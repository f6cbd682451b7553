package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"

	"example.com/shop/money"
)

func main() {
	addr := flag.String("addr", ":80", "where to listen")
	flag.Parse()
	http.HandleFunc("GET /total/{cart}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, money.Zero())
	})
	if err := http.ListenAndServe(*addr, nil); err != nil {
		os.Exit(3)
	}
}
