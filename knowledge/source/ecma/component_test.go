package ecma

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"pgregory.net/rapid"
)

func TestComponents(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, src, want string }{
		"template first": {"Upload.vue", `<template>
  <textarea v-model="text" :rows="a > b ? 1 : 2" /> <template #head>don't</template>
</template>
<script setup lang="ts" generic="T extends string">
import { send } from './send'
const url = import.meta.env.VITE_UPLOAD_URL
function upload(item: T) { send(url, item) }
</script>
<style>.a::before { content: "'" }</style>`, "import ./send\nurl in line 6\nupload in line 7\nenv VITE_UPLOAD_URL"},
		"two scripts": {"Counter.svelte", `<script module>
export const step = 2
</script>
<script>
  import Button from './Button.svelte'
  import { env } from '$env/dynamic/public'
  export let count = env.PUBLIC_START
</script>
{#if count < 3}<Button on:click={() => count += step}>it's {count}</Button>{/if}`,
			"import ./Button.svelte\nimport $env/dynamic/public\nstep in line 2\ncount in line 7\nenv PUBLIC_START"},
		"scripts of others": {"Page.svelte", `<!-- <script>function commented() {}</script> -->
<svelte:head><script>function analytics() {}</script></svelte:head>
<script lang="coffee">brew = -> 1</script>
<SCRIPT LANG='ts'>
function main(): void {}
</SCRIPT>
<script>`, "main in line 5\n"},
		"JSX":          {"Row.vue", "<script lang=\"tsx\">\nconst row = () => <td class=\"a\">it's</td>\n</script>", "row in line 2\n"},
		"no script":    {"Icon.vue", "<template><svg/></template>", ""},
		"not closed":   {"Open.vue", "<template><script>f()</script>", ""},
		"no component": {"a.ts", "export const a = '<script>'", "a in line 1, exported\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := languageOf(c.path).Extract(context.Background(), c.path, []byte(c.src))
			var got strings.Builder
			for _, i := range f.Imports {
				fmt.Fprintln(&got, "import", i.Path)
			}
			for _, s := range f.Symbols {
				fmt.Fprintf(&got, "%s in line %d%s\n", s.Name, s.Line, map[bool]string{true: ", exported"}[s.Exported])
			}
			got.WriteString(said(f))
			if got.String() != c.want || f.Problem != "" {
				t.Errorf("got:\n%s\nwant:\n%s\nproblem: %s", got.String(), c.want, f.Problem)
			}
		})
	}
}

// The scripts of a component keep their lines and offsets, whatever the markup.
func TestComponentsKeepOffsets(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{
		"<script>", "</script>", "<template>", "</template>", "<br/>", "<!--", "-->", "a < b", "'", "\"", "\n", "\r\n", "<script lang=ts>", "é", "\x00", "<style>", "x",
	})
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(strings.Join(rapid.SliceOf(part).Draw(t, "parts"), ""))
		out, _ := scriptsOf(src)
		if len(out) != len(src) {
			t.Fatalf("%d bytes of %d", len(out), len(src))
		}
		for i, c := range out {
			if c != src[i] && (c != ' ' || src[i] == '\n') {
				t.Fatalf("%q at %d of %q", c, i, src)
			}
		}
		if bytes.Count(out, []byte("\n")) != bytes.Count(src, []byte("\n")) {
			t.Fatal("lost a line")
		}
	})
}
