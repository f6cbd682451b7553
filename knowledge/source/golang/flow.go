package golang

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source/surface"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// flow adds the rules for commands, variables, configuration and registrations.
func flow(r *surface.Rules) {
	r.Platform, r.Arguments, r.Parse, r.Main, r.Initial, r.TextType, r.Length = "runtime.GOOS", "os.Args", "Parse", "main", "init", "string", "len"
	r.Basic = surface.Set("bool string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 byte rune any error true false iota")
	r.Zeros = map[string]*surface.Node{"string": {Kind: surface.Text}, "bool": {Kind: surface.Name, Text: "false"}}
	r.Appends, r.Dedents, r.Panics = surface.Set("append"), map[string]func(string) string{"heredoc.Doc": dedent}, surface.Set("panic")
	r.Failing = surface.Set("panic os.Exit log.Fatal log.Fatalf log.Fatalln log.Panic log.Panicf errors.New fmt.Errorf")
	r.Units = map[string]int64{
		"time.Nanosecond": int64(time.Nanosecond), "time.Microsecond": int64(time.Microsecond), "time.Millisecond": int64(time.Millisecond),
		"time.Second": int64(time.Second), "time.Minute": int64(time.Minute), "time.Hour": int64(time.Hour),
	}
	r.Quantity = func(n int64) string { return time.Duration(n).String() }

	r.Readers = surface.Set("os.Getenv os.LookupEnv syscall.Getenv")
	r.ReadBy = map[string][]string{"http.ProxyFromEnvironment": {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}}
	r.From = "net/http"
	r.Asking = map[string]bool{"func(string) string": true, "func(string) (string, bool)": true, "func(key string) string": true, "func(key string) (string, bool)": true}
	r.Tidies, r.First, r.Whole = surface.Set("strings.TrimSpace strings.ToLower filepath.Clean"), surface.Set("cmp.Or"), surface.Set("os.Environ")
	r.Copies = surface.Set("append slices.Concat slices.Clone slices.DeleteFunc len")
	r.Keys = map[string]surface.KeyRule{
		"SetEnvPrefix": {Part: surface.Prefixes, Least: 1, Most: 1}, "AutomaticEnv": {Part: surface.Automatic, Package: "viper"}, "SetEnvKeyReplacer": {Part: surface.Replaces, Package: "viper", Least: 1},
		"Provider": {Part: surface.Named, Package: "env", Least: 2},
		"BindEnv":  {Part: surface.Binds, Package: "viper", Least: 1}, "SetDefault": {Part: surface.Fallbacks, Package: "viper", Owner: "viper.Viper", Least: 2, Most: 2},
	}
	for name := range surface.Set("Get GetString GetBool GetInt GetInt32 GetInt64 GetUint GetUint16 GetUint32 GetUint64 GetFloat64 GetDuration GetTime GetStringSlice GetIntSlice GetSizeInBytes IsSet") {
		r.Keys[name] = surface.KeyRule{Part: surface.Gets, Package: "viper", Owner: "viper.Viper", Least: 1, Most: 1}
	}
	r.Keys["Set"] = surface.KeyRule{Part: surface.Fixes, Package: "viper", Owner: "viper.Viper", Least: 2, Most: 2}
	r.Made = map[string]string{"viper.New": "viper.Viper", "viper.NewWithOptions": "viper.Viper", "viper.GetViper": "viper.Viper"}
	r.Snakes = surface.Set("lo.SnakeCase strcase.ToSnake strcase.ToScreamingSnake strcase.SnakeCase strutil.SnakeCase xstrings.ToSnakeCase")
	r.Bound = "BindPFlag"
	r.FieldNames = [2]map[string]bool{surface.Set("default defaultvalue def fallback rawvalue"), surface.Set("help usage description desc")}
	r.NameFields = surface.Set("ID Name Key")
	r.TagForms = []surface.TagForm{{Name: "env", Value: "envDefault", Required: "required"}, {Name: "env", Value: "env-default", Required: "env-required"}, {Name: "envconfig", Value: "default", Required: "required"}}
	r.TagPrefix, r.ConfigTags = "envPrefix", []string{"mapstructure", "koanf", "yaml", "toml", "hcl", "json"}
	r.OptionsType, r.OptionsPrefix = "Options", "Prefix"
	r.LookupType, r.LookupTarget, r.LookupSource, r.LookupPrefix = "Config", "Target", "Lookuper", "PrefixLookuper"
	r.Decodes = surface.Set("Unmarshal UnmarshalStrict UnmarshalExact Decode DecodeFile DecodeFS MapTo")
	r.Decoders = surface.Set("yaml toml viper koanf json hclsimple ini")
	commands(&r.Commands)
	r.TagModels = []surface.TagModel{{Library: "GORM", Tag: "gorm", Base: "gorm.Model", Table: "TableName", Rows: "[]byte", Columns: []ddl.Column{
		{Name: "ID", Type: "uint", Key: true, NotNull: true}, {Name: "CreatedAt", Type: "time.Time"}, {Name: "UpdatedAt", Type: "time.Time"}, {Name: "DeletedAt", Type: "gorm.DeletedAt"},
	}}, {Library: "XORM", Tag: "xorm", Table: "TableName", Rows: "[]byte", Spaced: true}}
}

func commands(c *surface.CommandRules) {
	urfave := map[string]surface.Role{
		"Name": surface.Called, "Usage": surface.Help, "Description": surface.Long, "ArgsUsage": surface.Rest, "ShortName": surface.Also, "Aliases": surface.Also,
		"Hidden": surface.Hidden, "Action": surface.Runs, "Flags": surface.Under, "Commands": surface.Under, "Subcommands": surface.Under,
	}
	c.Objects = map[string]surface.CommandRule{
		"cobra.Command": {Part: surface.Makes, Roles: map[string]surface.Role{
			"Use": surface.Usage, "Short": surface.Help, "Long": surface.Long, "Aliases": surface.Also, "Hidden": surface.Hidden, "Deprecated": surface.Gone,
			"Run": surface.Runs, "RunE": surface.Runs,
		}},
		"urfave.Command": {Part: surface.Makes, Roles: urfave}, "urfave.App": {Part: surface.Makes, Roles: urfave},
	}
	flag := map[string]surface.Role{
		"Name": surface.Names, "Aliases": surface.Names, "Usage": surface.Help, "Value": surface.Default, "DefaultText": surface.Last, "EnvVar": surface.Variable,
		"EnvVars": surface.Variable, "Sources": surface.Variable, "Hidden": surface.Hidden,
	}
	for name := range surface.Set(" String Int Int8 Int16 Int32 Int64 Uint Uint8 Uint16 Uint32 Uint64 Float Float32 Float64 Duration Timestamp Path StringSlice IntSlice Int64Slice UintSlice Float64Slice StringMap") {
		c.Objects["urfave."+name+"Flag"] = surface.CommandRule{Part: surface.Option, Dash: "--", Roles: flag, Value: strings.ToLower(name[:1]) + name[1:]}
	}
	for name, value := range map[string]string{"Bool": "", "BoolT": "", "BoolWithInverse": "", "Generic": "value", "": ""} {
		c.Objects["urfave."+name+"Flag"] = surface.CommandRule{Part: surface.Option, Dash: "--", Roles: flag, Value: value}
	}
	c.Sets = map[string]string{"flag.FlagSet": "-", "pflag.FlagSet": "--"}
	c.Dashes = map[string]string{"flag": "-", "pflag": "--"}
	c.Default, c.Methods, c.Named = "CommandLine", surface.Set("Flags PersistentFlags LocalFlags"), []string{"flag", "pflag", "fs"}
	c.Calls = map[string]surface.CommandRule{
		".AddCommand": {Part: surface.Adds}, ".MarkHidden": {Part: surface.Hides}, ".MarkDeprecated": {Part: surface.Hides}, ".AddFlagSet": {Part: surface.Same},
		"flag.NewFlagSet": {Part: surface.Groups, Dash: "-"}, "pflag.NewFlagSet": {Part: surface.Groups}, "urfave.NewApp": {Part: surface.Makes, Value: "urfave.App"},
		"kong.Parse": {Part: surface.Root}, "kong.New": {Part: surface.Root}, "kong.Must": {Part: surface.Root},
		"flags.Parse": {Part: surface.Root}, "flags.NewParser": {Part: surface.Root},
		"kong.Name": {Roles: map[string]surface.Role{"0": surface.Called}}, "kong.Description": {Roles: map[string]surface.Role{"0": surface.Help}},
	}
	kingpin(c)
	// Each form has the letters of its arguments: name, short name, default, help, and others.
	forms := func(name, value string, letters ...string) {
		for i, suffix := range []string{"", "P", "Var", "VarP"} {
			if i >= len(letters) || letters[i] == "" {
				continue
			}
			roles := map[string]surface.Role{}
			for at, letter := range letters[i] {
				roles[strconv.Itoa(at)] = map[rune]surface.Role{'n': surface.Names, 's': surface.Also, 'd': surface.Default, 'h': surface.Help}[letter]
			}
			c.Calls["."+name+suffix] = surface.CommandRule{Part: surface.Option, Roles: roles, Value: value}
		}
	}
	forms("Var", "value", "-nh", "-nsh")
	forms("VarPF", "value", "-nsh")
	forms("TextVar", "value", "-n-h")
	forms("Func", "value", "nh", "nsh")
	forms("BoolFunc", "", "nh", "nsh")
	forms("Count", "count", "nh", "nsh", "-nh", "-nsh")
	for types, word := range map[string]string{
		"Bool": "", "Duration": "duration", "Float32 Float64": "float", "Int Int8 Int16 Int32 Int64": "int", "Uint Uint8 Uint16 Uint32 Uint64": "uint",
		"String": "string", "StringSlice": "strings", "StringArray": "stringArray", "IntSlice Int32Slice Int64Slice": "ints", "UintSlice": "uints",
		"BoolSlice": "bools", "DurationSlice": "durations", "Float32Slice Float64Slice": "floats", "IP": "ip", "IPMask": "ipMask", "IPNet": "ipNet", "IPSlice": "ips",
		"StringToString": "stringToString", "StringToInt": "stringToInt", "StringToInt64": "stringToInt64", "BytesHex": "bytesHex", "BytesBase64": "bytesBase64",
	} {
		for name := range strings.FieldsSeq(types) {
			forms(name, word, "ndh", "nsdh", "-ndh", "-nsdh")
		}
	}
}

// kingpin adds the rules of alecthomas/kingpin.
func kingpin(c *surface.CommandRules) {
	value := map[string]surface.Role{
		"0": surface.Names, "1": surface.Help, "Default": surface.Default, "Envar": surface.Variable, "OverrideDefaultFromEnvar": surface.Variable,
		"PlaceHolder": surface.Value, "Short": surface.Names, "Hidden": surface.Hidden,
	}
	c.Types = map[string]string{"Bool": "", "Counter": "", "SetValue": "value"}
	for types, word := range map[string]string{
		"String Enum": "string", "Strings Enums": "strings", "Int Int8 Int16 Int32 Int64": "int", "Uint Uint8 Uint16 Uint32 Uint64": "uint",
		"Float Float32 Float64": "float", "Duration": "duration", "Bytes": "bytes", "IP": "ip", "URL": "url", "TCP": "host:port", "Regexp": "regexp",
		"File ExistingFile OpenFile ExistingFileOrDir ExistingFiles": "file", "ExistingDir ExistingDirs": "directory", "StringMap": "key=value",
	} {
		for name := range strings.FieldsSeq(types) {
			c.Types[name] = word
		}
	}
	for name := range c.Types {
		value[name], value[name+"Var"] = surface.Type, surface.Type
	}
	argument := maps.Clone(value)
	argument["0"], argument["Required"] = surface.None, surface.Needed
	named := map[string]surface.Role{"0": surface.Called, "1": surface.Help, "Alias": surface.Also, "Hidden": surface.Hidden}
	c.Objects["kingpin.Application"] = surface.CommandRule{Part: surface.Makes, Roles: named}
	c.Objects["kingpin.CmdClause"] = c.Objects["kingpin.Application"]
	c.Calls["kingpin.New"] = surface.CommandRule{Part: surface.Makes, Library: "kingpin", Roles: named}
	c.Calls[".Command"] = surface.CommandRule{Part: surface.Below, Library: "kingpin", Roles: named}
	c.Calls[".Flag"] = surface.CommandRule{Part: surface.Given, Library: "kingpin", Roles: value, Dash: "--"}
	c.Calls[".Arg"] = surface.CommandRule{Part: surface.Takes, Library: "kingpin", Roles: argument}
}

// libraries are the supported command-line packages, by import path without the version.
var libraries = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"flag": "flag", "github.com/spf13/pflag": "pflag", "github.com/spf13/cobra": "cobra", "github.com/ogier/pflag": "pflag",
		"github.com/urfave/cli": "urfave", "github.com/codegangsta/cli": "urfave", "gopkg.in/urfave/cli": "urfave", "github.com/schollz/cli": "urfave",
		"github.com/alecthomas/kong": "kong", "github.com/alecthomas/kingpin": "kingpin", "gopkg.in/alecthomas/kingpin": "kingpin", "github.com/jessevdk/go-flags": "flags",
	}
}}

// libraryAt returns the library at an import path of any major version, or "".
func libraryAt(p string) string {
	if base := path.Base(p); len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		p = path.Dir(p)
	}
	if at := strings.LastIndex(p, ".v"); at > 0 && strings.Trim(p[at+2:], "0123456789") == "" {
		p = p[:at]
	}
	return libraries.Get()[p]
}

var predeclared = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return surface.Set("append make new len cap string min max panic copy delete")
}}

// importing adds the names of the imports to the input.
func (r *reader) importing(in *surface.Input) {
	in.Package, in.Imports, in.Packages = r.out.Package, map[string]bool{}, map[string]string{}
	for _, spec := range r.tree.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		local := localName(spec)
		in.Imports[local] = local != "_" && local != "."
		if l := libraryAt(p); l != "" {
			if spec.Name == nil && l == "urfave" {
				local = "cli" // usual name of gopkg.in/urfave/cli.v1
			}
			in.Packages[local] = l
		}
	}
	in.Single = len(in.Packages) > 0
	for _, l := range in.Packages {
		in.Single = in.Single && l == "flag"
	}
	in.Line = len(in.Packages) > 0 || has(r.src, [][]byte{[]byte(`cmd:"`), []byte(`help:"`), []byte(`long:"`), []byte("Flags().")})
}

func has(src []byte, words [][]byte) bool {
	return slices.ContainsFunc(words, func(word []byte) bool { return bytes.Contains(src, word) })
}

func (r *reader) surface() {
	meter := kernel.NewMeter(context.Background(), len(r.src)) // abandonable ends it early
	in := surface.Input{Rules: rules.Get(), Steps: meter.Steps, Library: func(name string) string { return name }, Command: path.Base(path.Dir(r.file.Name())), Unnamed: r.handles}
	r.importing(&in)
	if !has(r.src, ruled) {
		in.Rules = unserved.Get()
	}
	in.Tree = translated(r)
	from := len(r.out.Facts)
	r.out.Facts = append(r.out.Facts, surface.Facts(in)...)
	for i := range r.out.Facts[from:] {
		f := &r.out.Facts[from+i]
		f.Line = r.line(r.file.Pos(f.Line))
	}
}
