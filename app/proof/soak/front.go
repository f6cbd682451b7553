package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers itself as "pgx"
)

// front is where GitHub reaches several replicas: each connection goes to the next one that takes it.
type front struct{ url string }

func newFront(ctx context.Context, replicas []*replica) (*front, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	var turn atomic.Int64
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		var failed []error
		for range replicas {
			r := replicas[turn.Add(1)%int64(len(replicas))]
			c, err := (&net.Dialer{}).DialContext(ctx, network, r.listen)
			if err == nil {
				return c, nil
			}
			failed = append(failed, err)
		}
		return nil, errors.Join(failed...)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: "replicas"}) },
		Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}, // a killed replica must not be asked once more
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, err.Error(), http.StatusBadGateway)
		},
	}
	server := &http.Server{Handler: proxy, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }() // ends with the context
	context.AfterFunc(ctx, func() { _ = server.Close() })
	return &front{"http://" + listener.Addr().String()}, nil
}

// postgresSetting holds the URL of a PostgreSQL server whose user may create databases.
const postgresSetting = "CAUSAL_TEST_POSTGRES"

// createDatabase creates an empty database on the server, and returns its URL and a function that drops it.
func createDatabase(ctx context.Context, server string) (string, func() error, error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", nil, fmt.Errorf("read %s: %w", postgresSetting, err)
	}
	admin, err := sql.Open("pgx", server)
	if err != nil {
		return "", nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	name := fmt.Sprintf("causal_soak_%d", os.Getpid())
	if _, err := admin.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return "", nil, errors.Join(fmt.Errorf("create a database: %w", err), admin.Close())
	}
	u.Path = "/" + name
	return u.String(), func() error {
		_, err := admin.ExecContext(context.WithoutCancel(ctx), "DROP DATABASE "+name+" WITH (FORCE)")
		return errors.Join(err, admin.Close())
	}, nil
}
