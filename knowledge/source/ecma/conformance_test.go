package ecma

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

const typescriptBase = `/**
 * Greets people.
 * @packageDocumentation
 */
import { join } from "./join"

// An ordinary comment.

/** Longest name. */
export const MAX = 10

/** Greets one person. */
@logged
export class Plain {}

/**
 * Says hello.
 */
export function greet(name: string, times: number): string {
  const prefix = "hello, "
  const lang = "en"
  return join(prefix + name, times, lang)
}

/** Says goodbye. */
export function part(name: string): string {
  return "bye " + name
}

function hidden(a: number): number {
  return a + Number(process.env.LANG)
}
`

func TestTypeScriptConforms(t *testing.T) {
	t.Parallel()
	sourcetest.Run(t, sourcetest.Fixture{
		Language: TypeScript, Path: "src/greet.ts", Base: typescriptBase,
		Target: "greet", Other: "part", Const: "MAX", Hidden: "hidden",
		Edits: map[string]sourcetest.Edit{
			"comment in a body":            {Old: "  const lang", New: "  // why\n  /* not */ const lang"},
			"comment between declarations": {Old: "function hidden", New: "// more\n\nfunction hidden"},
			"comment at the top":           {Old: "import { join }", New: "// top\nimport { join }"},
			"blank lines":                  {Old: "function hidden", New: "\n\n\nfunction hidden"},
			"formatting":                   {Old: "greet(name: string, times: number): string {", New: "greet(\n  name : string,\n  times: number,\n) : string\n{"},
			"body":                         {Old: "times, lang", New: "times + 1, lang"},
			"string literal":               {Old: `"hello, "`, New: `"hello,  "`},
			"doc comment":                  {Old: "Says hello.", New: "Says hello twice."},
			"module doc":                   {Old: "Greets people.", New: "Greets everybody."},
			"signature":                    {Old: "times: number", New: "times: bigint"},
			"result type":                  {Old: "times: number): string", New: "times: number): String"},
			"constant value":               {Old: "MAX = 10", New: "MAX = 11"},
			"hidden signature":             {Old: "hidden(a: number)", New: "hidden(a: string)"},
			"target hidden":                {Old: "export function greet", New: "function greet"},
			"symbol added":                 {Old: "function hidden", New: "export function added() {}\n\nfunction hidden"},
			"symbols swapped": {
				Old: "/** Longest name. */\nexport const MAX = 10\n\n/** Greets one person. */\n@logged\nexport class Plain {}\n",
				New: "/** Greets one person. */\n@logged\nexport class Plain {}\n\n/** Longest name. */\nexport const MAX = 10\n",
			},
			"import added":         {Old: "import { join }", New: "import fs from \"node:fs\"\nimport { join }"},
			"environment variable": {Old: "env.LANG", New: "env.LC_ALL"},
			"syntax error":         {Old: "name, times, lang)", New: "name, times, lang"},
		},
		Without: map[string]string{"decorator": "functions have none; TestEdits covers those of classes"},
	})
}

const javascriptBase = `/** @file Greets people. */
const { join } = require("./join")

// An ordinary comment.

/** Longest name. */
const MAX = 10

/**
 * Says hello.
 */
const greet = (name, times) => {
  const lang = "en"
  return join("hello, ", name, times, lang)
}

/** Says goodbye. */
function part(name) {
  return "bye " + name
}

function hidden(a) {
  return a + process.env.LANG
}

module.exports = { greet, part, MAX }
`

func TestJavaScriptConforms(t *testing.T) {
	t.Parallel()
	sourcetest.Run(t, sourcetest.Fixture{
		Language: JavaScript, Path: "src/greet.js", Base: javascriptBase,
		Target: "greet", Other: "part", Const: "MAX", Hidden: "hidden",
		Edits: map[string]sourcetest.Edit{
			"comment in a body":            {Old: "  const lang", New: "  // why\n  /* not */ const lang"},
			"comment between declarations": {Old: "function hidden", New: "// more\n\nfunction hidden"},
			"comment at the top":           {Old: "const { join }", New: "// top\nconst { join }"},
			"blank lines":                  {Old: "function hidden", New: "\n\n\nfunction hidden"},
			"formatting":                   {Old: "(name, times) => {", New: "(\n  name,\n  times,\n) =>   {"},
			"body":                         {Old: "times, lang", New: "times + 1, lang"},
			"string literal":               {Old: `"hello, "`, New: `"hello,  "`},
			"doc comment":                  {Old: "Says hello.", New: "Says hello twice."},
			"module doc":                   {Old: "Greets people.", New: "Greets everybody."},
			"signature":                    {Old: "(name, times)", New: "(name, times = 1)"},
			"constant value":               {Old: "MAX = 10", New: "MAX = 11"},
			"hidden signature":             {Old: "hidden(a)", New: "hidden(a, b)"},
			"target hidden":                {Old: "{ greet, part", New: "{ part"},
			"symbol added":                 {Old: "function hidden", New: "function added() {}\n\nfunction hidden"},
			"symbols swapped":              {Old: "/** Says goodbye. */\nfunction part(name) {\n  return \"bye \" + name\n}\n\nfunction hidden(a) {\n  return a + process.env.LANG\n}\n", New: "function hidden(a) {\n  return a + process.env.LANG\n}\n\n/** Says goodbye. */\nfunction part(name) {\n  return \"bye \" + name\n}\n"},
			"import added":                 {Old: "const { join }", New: "const fs = require(\"fs\")\nconst { join }"},
			"environment variable":         {Old: "env.LANG", New: "env.LC_ALL"},
			"syntax error":                 {Old: "times, lang)", New: "times, lang"},
		},
		Without: map[string]string{
			"decorator":     "functions have none",
			"result type":   "JavaScript has none",
			"target hidden": "the export stands elsewhere, so that the declaration itself does not change",
		},
	})
}
