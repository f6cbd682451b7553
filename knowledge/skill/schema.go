package skill

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/state"
)

type object = map[string]any

var jsonTypes = map[Type]string{String: "string", Integer: "integer", Number: "number", Boolean: "boolean", List: "array", Map: "object"}

// schemaOf returns the JSON Schema of fields. In a skill file, references may replace values of any type.
func schemaOf(list []Field, refs bool) object {
	properties, required := object{}, []string{}
	for _, f := range list {
		p := object{"description": f.About}
		if t := jsonTypes[f.Type]; t != "" {
			p["type"] = t
			if refs && t != "string" {
				p["type"] = []string{t, "string"}
			}
		}
		properties[f.Name] = p
		if f.Required {
			required = append(required, f.Name)
		}
	}
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// Described is a capability with JSON Schemas for its fields.
type Described struct {
	ID     string `json:"id"`
	About  string `json:"description"`
	Writes bool   `json:"writes"`
	Input  object `json:"input"`
	Output object `json:"output"`
}

// Describe lists the capabilities, by id.
func (specs Specs) Describe() (out []Described) {
	for _, id := range slices.Sorted(maps.Keys(specs)) {
		s := specs[id]
		out = append(out, Described{id, s.About, s.Writes, schemaOf(s.Input, false), schemaOf(s.Output, false)})
	}
	return out
}

// Schema returns the JSON Schema of a skill file.
func (specs Specs) Schema() map[string]any {
	text := func(about string) object { return object{"type": "string", "description": about} }
	uses := slices.Sorted(maps.Keys(specs))
	var cases []any
	for _, id := range uses {
		cases = append(cases, object{
			"if":   object{"properties": object{"uses": object{"const": id}}},
			"then": object{"properties": object{"input": schemaOf(specs[id].Input, true)}},
		})
	}
	var slots []string
	for _, n := range []state.Namespace{state.Vars, state.Outputs, state.Working, state.Output, state.Extensions} {
		slots = append(slots, string(n))
	}
	step := object{
		"type": "object", "additionalProperties": false, "required": []string{"id", "uses"}, "allOf": cases,
		"properties": object{
			"id":    text("Name of the step, unique in the skill."),
			"uses":  object{"enum": uses, "description": "Capability that the step calls."},
			"input": object{"type": "object", "description": "Input of the capability. A text such as vars.x is a reference to the state; other texts are literals."},
			"output": object{"type": "object", "description": "Names in the output of the capability, each with the target that it is written to.",
				"additionalProperties": object{"type": "string", "pattern": "^(" + strings.Join(slots, "|") + `)(\.[A-Za-z0-9_-]+)+$`}},
			"if":   text("Expression over the state. The step is skipped if it is false."),
			"else": object{"type": "object", "description": "Result of the step if the model gives no answer."},
			"config": object{"type": "object", "additionalProperties": false, "properties": object{"merge_strategy": object{
				"enum": state.Strategies, "default": state.Overwrite, "description": "How a write treats an existing value."}}},
		},
	}
	frame := object{}
	for _, slot := range state.FrameSlots {
		frame[slot] = object{}
	}
	return object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Skill of causal", "type": "object", "additionalProperties": false,
		"required": []string{"id", "version", "description", "steps"},
		"properties": object{
			"id":          object{"type": "string", "pattern": "^[a-z0-9_][a-z0-9_-]*$", "description": "Name of the skill and of its file."},
			"version":     object{"type": []string{"string", "number"}, "description": "Version of the skill."},
			"description": text("Purpose of the skill, in a sentence."),
			"inputs": object{"type": "object", "description": "Inputs of the skill, by name.", "additionalProperties": object{
				"type": "object", "additionalProperties": false, "properties": object{
					"type": object{"enum": Types}, "default": object{}, "required": object{"type": "boolean"}, "description": object{"type": "string"}}}},
			"frame": object{"type": "object", "additionalProperties": false, "properties": frame, "description": "Fixed context of a run."},
			"steps": object{"type": "array", "minItems": 1, "maxItems": MostSteps, "items": step, "description": "Steps, in the order in which they run."},
			"when":  object{"type": "array", "items": object{"enum": Triggers}, "default": []Trigger{Manual}, "description": "What starts the skill, besides `causal skills run`."},
		},
	}
}

// Page returns a Markdown section about a capability.
func (d Described) Page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## `%s`\n\n%s\n", d.ID, d.About)
	for _, part := range []struct {
		title  string
		schema object
	}{{"Input", d.Input}, {"Output", d.Output}} {
		properties, _ := part.schema["properties"].(object)
		if len(properties) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n| %s | Type | Description |\n|---|---|---|\n", part.title)
		required, _ := part.schema["required"].([]string)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			p, _ := properties[name].(object)
			kind, _ := p["type"].(string)
			if kind == "" {
				kind = "any"
			}
			if slices.Contains(required, name) {
				kind += ", required"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, kind, p["description"])
		}
	}
	return b.String()
}
