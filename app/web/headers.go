package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"sync"
)

//go:embed static
var static embed.FS

// policy allows only the server's own style sheet, images and forms. formTargets are additional form targets.
func policy(formTargets string) string {
	return "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'" + formTargets +
		"; base-uri 'none'; frame-ancestors 'none'"
}

func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy(""))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		// The check for forms of other sites needs the origin of same-site requests.
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		h.Set("X-Robots-Tag", "noindex, nofollow")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

func sameOrigin(next http.Handler) http.Handler {
	return http.NewCrossOriginProtection().Handler(next)
}

// version is a digest of the embedded files, so browsers never use an old style sheet.
var version = sync.OnceValue(func() string {
	sum := sha256.New()
	for _, name := range []string{"static/style.css", "static/favicon.svg"} {
		data, err := fs.ReadFile(static, name)
		if err != nil {
			panic("web: " + err.Error())
		}
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
})

func asset(name string) string { return path.Join("/static", name) + "?v=" + version() }

// assets serves the embedded files. Their URL has the version, so browsers may cache them.
func assets() http.Handler {
	files := http.FileServerFS(static)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("v") == version() {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		if path.Ext(r.URL.Path) == "" {
			http.NotFound(w, r)
			return
		}
		files.ServeHTTP(w, r)
	})
}
