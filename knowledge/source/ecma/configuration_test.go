package ecma

import (
	"context"
	"testing"
)

const defaultSettings = `module.exports = {
	// ## Server

	// ### ` + "`public`" + `
	//
	// Whether anybody may
	// come in, see [the guide](https://example.com).
	//
	// It is off.
	public: false,
	host: undefined, // Where it listens.
	/**
	 * The largest size of a file in bytes.
	 */
	maxSize: 10 * 1024,
	// Files that users send.
	//
	// - ` + "`where`" + `: The folder
	//   of the files.
	upload: { where: "", types: ["png"] },
	// paths
	// other: 1,
	root: null,
};
`

func TestSettingLiterals(t *testing.T) {
	t.Parallel()
	own := `config  =default <*
config host <default ~undefined
config maxSize <default ~10 * 1024 ?The largest size of a file in bytes.
config public <default ~false ?Whether anybody may come in, see the guide.
config root <default ~null
config upload <default ?Files that users send.
config upload.types <default ~["png"]
config upload.where <default ~"" ?The folder of the files.`
	uncommented := "export default { a: 1, b: 2, c: { d: true } }\n"
	for name, c := range map[string]struct{ file, src, want string }{
		"comments":              {"defaults/config.js", defaultSettings, own},
		"no name of settings":   {"src/shop.js", defaultSettings, ""},
		"no comments":           {"src/config.ts", uncommented, ""},
		"a folder of settings":  {"config/default.ts", uncommented, "config  =default <*\nconfig a <default ~1\nconfig b <default ~2\nconfig c.d <default ~true"},
		"objects describe them": {"src/config.js", "import convict from 'convict'\nconst config = convict({ port: { doc: 'Where.', format: 'port', default: 80, env: 'PORT' }, db: { host: { doc: 'Its host.', default: '' }, name: { doc: 'Its name.', default: null } } })\n", "config  =config <*\nconfig db.host <config ~\"\" ?Its host.\nconfig db.name <config ~null ?Its name.\nconfig port <config :port ~80 ?Where.\nenv PORT ~80 ?Where."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(languageOf(c.file).Extract(context.Background(), c.file, []byte(c.src))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
	f := languageOf("a.js").Extract(context.Background(), "defaults/config.js", []byte(defaultSettings))
	for _, s := range f.Symbols {
		if s.Signature == "public = false" && s.Doc == "Whether anybody may come in, see the guide." {
			return
		}
	}
	t.Errorf("no member has its comment: %+v", f.Symbols)
}
