package hooks

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/costtest"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

const theirs = `{"hooks":[{"type":"command","command":"lint"}]}`

func TestSettings(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]string{
		"empty":             "{}",
		"empty, with space": "{ \n }\n",
		"one line":          `{"model":"opus"}`,
		"two spaces":        "{\n  \"model\": \"opus\"\n}\n",
		"tabs":              "{\n\t\"model\": \"opus\",\n\t\"env\": {\"A\": \"1\"}\n}",
		"lines of Windows":  "{\r\n  \"model\": \"opus\"\r\n}\r\n",
		"no hooks":          `{"hooks": {}, "z": 1}`,
		"an empty list":     `{"hooks": {"Stop": [], "Other": []}}`,
		"hooks of others":   `{"z":0,"hooks":{"Stop":[` + theirs + `],"PreToolUse":[` + theirs + `]},"a":[1,{"b":null}]}`,
		"odd texts":         `{"\"hooks\": {": "}],[{\\", "ü": "\u00fc", "n": 1e400}`,
	} {
		after, err := Install([]byte(before))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if ok, err := Installed(after); !ok || err != nil {
			t.Errorf("%s: not installed (%v) in\n%s", name, err, after)
		}
		if again, err := Install(after); err != nil || !bytes.Equal(again, after) {
			t.Errorf("%s: the second time (%v):\n%s", name, err, again)
		}
		back, err := Uninstall(after)
		if err != nil || string(back) != before {
			t.Errorf("%s: uninstalled (%v)\n%s\nwant\n%s\nof\n%s", name, err, back, before, after)
		}
		if same, err := Uninstall([]byte(before)); err != nil || string(same) != before {
			t.Errorf("%s: uninstalled without being installed (%v)\n%s", name, err, same)
		}
	}
	made, err := Install(nil)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := Uninstall(made); back != nil || err != nil {
		t.Errorf("the file that was made is not removed: %s, %v", back, err)
	}
}

// TestSettingsThatOthersEdited: what people did around what was installed stays.
func TestSettingsThatOthersEdited(t *testing.T) {
	t.Parallel()
	made, err := Install([]byte(`{"a": 1, "hooks": {"Stop": [` + theirs + `]}}`))
	if err != nil {
		t.Fatal(err)
	}
	edit := func(old, text string) string {
		if !strings.Contains(string(made), old) {
			t.Fatalf("%s is not in\n%s", old, made)
		}
		return strings.Replace(string(made), old, text, 1)
	}
	for name, text := range map[string]string{
		"a key added":               edit(`{"a"`, `{"b": 2, "a"`),
		"a group behind":            edit("\n    ],\n    \"UserPromptSubmit\"", ",\n"+theirs+"\n    ],\n    \"UserPromptSubmit\""),
		"a hook beside ours":        edit(`"hooks": [`+"\n          {", `"hooks": [{"type":"command","command":"x"},`+"\n          {"),
		"a hook behind ours":        edit("\n          }\n        ]", "\n          }, {\"command\": \"x\"}\n        ]"),
		"our hook once more":        edit(`"PostToolUse": [`, `"PostToolUse": [{"hooks":[{"command":"`+Command+`"}]},`),
		"written anew on one line":  compact(t, made),
		"our group with more in it": edit(`"matcher": "*",`, `"matcher": "*", "note": "x",`),
	} {
		back, err := Uninstall([]byte(text))
		if err != nil || !json.Valid(back) || strings.Contains(string(back), "causal") {
			t.Errorf("%s: uninstalled (%v)\n%s", name, err, back)
		}
		var before, after map[string]any
		if err := json.Unmarshal([]byte(text), &before); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if err := json.Unmarshal(back, &after); err != nil {
			t.Fatal(err)
		}
		delete(before, "hooks")
		stops := after["hooks"].(map[string]any)["Stop"].([]any)
		delete(after, "hooks")
		if !reflect.DeepEqual(before, after) || !reflect.DeepEqual(stops[0], decoded(t, theirs)) {
			t.Errorf("%s: left\n%s", name, back)
		}
	}
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func decoded(t interface{ Fatal(...any) }, text string) (v any) {
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSettingsThatCannotBe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                 "line 1: ",
		"{\n  \"a\": 1,\n}":                "line 3: ",
		"[]":                               "line 1: the settings are no object",
		"{\n\"hooks\": []}":                `line 2: "hooks" is no object`,
		"{\"hooks\": {\n\n\"Stop\": {}}}":  "line 3: the hooks of Stop are no list",
		"{\"hooks\": {},\n\"hooks\": {}}":  `line 2: "hooks" is there twice`,
		`{"hooks": {"Stop":[],"Stop":[]}}`: `line 1: "Stop" is there twice`,
		"// note\n{}":                      "line 1: ",
	} {
		for what, do := range map[string]func([]byte) ([]byte, error){"install": Install, "uninstall": Uninstall} {
			if got, err := do([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || got != nil {
				t.Errorf("%s in %q: %v, want %q", what, text, err, want)
			}
		}
	}
}

// TestAnySettingsComeBack: whatever settings say, installing adds hooks at the end of lists alone, and uninstalling gives the same
// bytes.
func TestAnySettingsComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := drawSettings(t)
		after, err := Install(before)
		if err != nil {
			t.Fatalf("%s: %v", before, err)
		}
		was, is := decoded(t, string(before)).(map[string]any), decoded(t, string(after)).(map[string]any)
		had, _ := was["hooks"].(map[string]any)
		has := is["hooks"].(map[string]any)
		for _, event := range Events {
			old, _ := had[event].([]any)
			list := has[event].([]any)
			if len(list) != len(old)+1 || len(old) > 0 && !reflect.DeepEqual(list[:len(old)], old) {
				t.Fatalf("%s: %v became %v", event, old, list)
			}
			delete(has, event)
			delete(had, event)
		}
		delete(is, "hooks")
		delete(was, "hooks")
		if !reflect.DeepEqual(was, is) || !maps.EqualFunc(had, has, reflect.DeepEqual) {
			t.Fatalf("%s\nbecame\n%s", before, after)
		}
		if back, err := Uninstall(after); err != nil || !bytes.Equal(back, before) {
			t.Fatalf("%s\ncame back as\n%s (%v)", before, back, err)
		}
	})
}

// drawSettings draws settings in some layout, with and without hooks.
func drawSettings(t *rapid.T) []byte {
	space := func() string {
		return rapid.SampledFrom([]string{"", " ", "\n", "\n  ", "\t", "\r\n"}).Draw(t, "space")
	}
	scalar := func() string {
		return rapid.SampledFrom([]string{"1", "-2.5e3", "true", "null", `""`, `"a"`, `"\"}]"`, `"\\"`, `{}`, `[]`, `[1 , {"a":[ ]}]`}).Draw(t, "value")
	}
	join := func(open, end string, parts []string) string {
		text := open + space()
		for i, part := range parts {
			if i > 0 {
				text += "," + space()
			}
			text += part + space()
		}
		return text + end
	}
	names := func(of []string) []string {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(of), 0, 3, rapid.ID).Draw(t, "names")
	}
	var members []string
	for _, name := range names([]string{"model", "env", "permissions", "x y", `\u00e9`, "hooks"}) {
		v := scalar()
		if name == "hooks" {
			var events []string
			for _, event := range names(slices.Concat(Events, []string{"PreToolUse"})) {
				groups := rapid.SliceOfN(rapid.SampledFrom([]string{theirs, "{}", "3", `{"hooks":{}}`}), 0, 2).Draw(t, "groups")
				events = append(events, `"`+event+`":`+space()+join("[", "]", groups))
			}
			v = join("{", "}", events)
		}
		members = append(members, `"`+name+`"`+space()+":"+space()+v)
	}
	return []byte(space() + join("{", "}", members) + space())
}

func FuzzSettings(f *testing.F) {
	for _, text := range []string{"{}", `{"hooks":{"Stop":[` + theirs + `]}}`, `{"a":[[[`, `{"hooks":{"Stop":[{"hooks":[{"command":"` + Command + `"}]}]}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		after, err := Install(text)
		if err == nil {
			if ok, err := Installed(after); !ok || err != nil {
				t.Errorf("%q became %q: %t, %v", text, after, ok, err)
			}
		}
		costtest.Hold(t, text, func(text []byte) { _, _ = Uninstall(text) })
	})
}
