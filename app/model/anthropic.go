package model

import (
	"context"
	"errors"
	"fmt"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/causaldocs/causal/knowledge/prompt"
)

// longestMessage is the max_tokens of an answer, which the API requires.
const longestMessage = 8192

// messages uses Anthropic's Messages API through the official SDK. The model must give a structured answer by calling a
// tool.
type messages struct {
	name    string
	service anthropic.MessageService
	client  *client
}

// newAnthropic disables the SDK's use of environment variables: everything is from the settings.
func newAnthropic(s Settings) provider {
	c := newClient(s.Key, URLSetting, longestAnswer)
	options := []option.RequestOption{
		option.WithBaseURL(s.URL), option.WithHTTPClient(c), option.WithMaxRetries(0), option.WithRequestTimeout(patience),
		option.WithTracerProvider(noop.NewTracerProvider()), option.WithOpenTelemetryPropagation(false),
	}
	if s.Key != "" {
		options = append(options, option.WithAPIKey(s.Key))
	}
	return &messages{s.Name, anthropic.NewMessageService(options...), c}
}

func (m *messages) send(ctx context.Context, q prompt.Request, omit map[string]bool) (reply, error) {
	said, err := m.service.New(ctx, m.request(q, omit))
	if err != nil {
		var s *statusError
		var c *connectError
		var a *answerError
		if errors.As(err, &s) || errors.As(err, &c) || errors.As(err, &a) {
			return reply{}, err
		}
		return reply{}, &answerError{fmt.Errorf("the response does not have the format of Anthropic's messages: %s", m.client.clean(err.Error())), prompt.NotTheForm}
	}
	u := said.Usage
	out := reply{
		in: int(u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens), out: int(u.OutputTokens),
		refused: said.StopReason == anthropic.StopReasonRefusal, cut: said.StopReason == anthropic.StopReasonMaxTokens,
	}
	for _, block := range said.Content {
		switch block.Type {
		case "text":
			out.text += block.Text
		case "tool_use":
			out.calls = append(out.calls, prompt.Call{ID: block.ID, Name: block.Name, Arguments: block.Input})
		}
	}
	return out, nil
}

func (m *messages) request(q prompt.Request, omit map[string]bool) anthropic.MessageNewParams {
	system := anthropic.TextBlockParam{Text: q.System, CacheControl: anthropic.NewCacheControlEphemeralParam()}
	out := anthropic.MessageNewParams{Model: m.name, MaxTokens: longestMessage, System: []anthropic.TextBlockParam{system}}
	if !omit["temperature"] {
		out.Temperature = param.NewOpt(0.0)
	}
	for _, t := range allTools(q) {
		out.Tools = append(out.Tools, anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
			Name: t.Name, Description: param.NewOpt(t.Description), InputSchema: param.Override[anthropic.ToolInputSchemaParam](t.Schema),
		}})
	}
	switch {
	case omit["tool_choice"]:
	case len(q.Tools) > 0:
		out.ToolChoice.OfAny = &anthropic.ToolChoiceAnyParam{}
	default:
		out.ToolChoice = anthropic.ToolChoiceParamOfTool(prompt.AnswerTool)
	}
	for _, t := range q.Turns {
		out.Messages = append(out.Messages, message(t))
	}
	if len(q.Turns) > 1 { // the next turn repeats this conversation
		markLast(out.Messages)
	}
	return out
}

func message(t prompt.Turn) anthropic.MessageParam {
	var blocks []anthropic.ContentBlockParamUnion
	for _, r := range t.Results {
		blocks = append(blocks, anthropic.NewToolResultBlock(r.ID, r.Text, false))
	}
	if t.Text != "" {
		blocks = append(blocks, anthropic.NewTextBlock(t.Text))
	}
	for _, c := range t.Calls {
		blocks = append(blocks, anthropic.NewToolUseBlock(c.ID, c.Arguments, c.Name))
	}
	return anthropic.MessageParam{Role: anthropic.MessageParamRole(t.Role), Content: blocks}
}

// markLast marks the end of a conversation for caching.
func markLast(list []anthropic.MessageParam) {
	content := list[len(list)-1].Content
	if len(content) == 0 {
		return
	}
	if mark := content[len(content)-1].GetCacheControl(); mark != nil {
		*mark = anthropic.NewCacheControlEphemeralParam()
	}
}
