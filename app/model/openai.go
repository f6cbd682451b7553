package model

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/causaldocs/causal/knowledge/prompt"
)

// openAI uses OpenAI's chat completions API.
type openAI struct {
	name, address string
	client        *client
}

func newOpenAI(s Settings) provider {
	return &openAI{s.Name, s.URL + "/chat/completions", newClient(s.Key, URLSetting, longestAnswer)}
}

type (
	chatRequest struct {
		Model          string        `json:"model"`
		Messages       []chatMessage `json:"messages"`
		Temperature    *float64      `json:"temperature,omitempty"`
		ResponseFormat any           `json:"response_format,omitempty"`
		Tools          []chatTool    `json:"tools,omitempty"`
		ToolChoice     string        `json:"tool_choice,omitempty"`
	}
	chatMessage struct {
		Role       string     `json:"role"`
		Content    *string    `json:"content"`
		ToolCalls  []chatCall `json:"tool_calls,omitempty"`
		ToolCallID string     `json:"tool_call_id,omitempty"`
	}
	chatTool struct {
		Type     string       `json:"type"`
		Function chatFunction `json:"function"`
	}
	chatFunction struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	chatCall struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	}
	chatResponse struct {
		Choices []struct {
			Message struct {
				Content   string     `json:"content"`
				Refusal   string     `json:"refusal"`
				ToolCalls []chatCall `json:"tool_calls"`
			} `json:"message"`
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			In  int `json:"prompt_tokens"`
			Out int `json:"completion_tokens"`
		} `json:"usage"`
	}
)

func (o *openAI) send(ctx context.Context, q prompt.Request, omit map[string]bool) (reply, error) {
	body, err := json.Marshal(o.request(q, omit))
	if err != nil {
		return reply{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, o.address, bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	var said chatResponse
	if err := o.client.post(request, "OpenAI's chat completions", &said); err != nil {
		return reply{}, err
	}
	out := reply{in: said.Usage.In, out: said.Usage.Out}
	if len(said.Choices) == 0 {
		return out, nil
	}
	first := said.Choices[0]
	out.text, out.cut = first.Message.Content, first.FinishReason == "length"
	out.refused = first.Message.Refusal != "" || first.FinishReason == "content_filter"
	for _, c := range first.Message.ToolCalls {
		out.calls = append(out.calls, prompt.Call{ID: c.ID, Name: c.Function.Name, Arguments: json.RawMessage(c.Function.Arguments)})
	}
	return out, nil
}

func (o *openAI) request(q prompt.Request, omit map[string]bool) chatRequest {
	out := chatRequest{Model: o.name, Messages: []chatMessage{{Role: "system", Content: &q.System}}}
	if !omit["temperature"] {
		out.Temperature = new(float64)
	}
	switch {
	case len(q.Tools) > 0:
		for _, t := range allTools(q) {
			out.Tools = append(out.Tools, chatTool{"function", chatFunction{t.Name, t.Description, t.Schema}})
		}
		if !omit["tool_choice"] {
			out.ToolChoice = "required"
		}
	case omit["response_format"]:
		system := q.System + "\n\n" + formRule(q.Schema)
		out.Messages[0].Content = &system
	default:
		out.ResponseFormat = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": schemaName(q.Schema), "schema": q.Schema}}
	}
	for _, t := range q.Turns {
		out.Messages = append(out.Messages, chatMessages(t)...)
	}
	return out
}

func chatMessages(t prompt.Turn) (out []chatMessage) {
	for _, r := range t.Results {
		out = append(out, chatMessage{Role: "tool", Content: &r.Text, ToolCallID: r.ID})
	}
	if t.Text == "" && len(t.Calls) == 0 {
		return out
	}
	m := chatMessage{Role: string(t.Role)}
	if t.Text != "" {
		m.Content = &t.Text
	}
	for _, c := range t.Calls {
		call := chatCall{ID: c.ID, Type: "function"}
		call.Function.Name, call.Function.Arguments = c.Name, string(c.Arguments)
		m.ToolCalls = append(m.ToolCalls, call)
	}
	return append(out, m)
}
