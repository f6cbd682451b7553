package mcp

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
)

// Bounds of resources.
const (
	mostResource = 64 << 10 // bytes of one resource
	mostListed   = 200      // resources per list page
)

// room is a kind of resource: files of causal with a naming scheme.
type room struct {
	prefix, template, name, about, mime string

	files func(w *workspace.Workspace) ([]string, error)
	// label converts a file name to its name in an address; file is the inverse.
	label, file func(w *workspace.Workspace, name string) string
}

var rooms = []room{
	{
		prefix: "causal://page/", template: "causal://page/{+path}", name: "page", mime: "text/markdown",
		about: "a page about this repository, by its path from the root, such as docs/causal/index.md",
		files: func(w *workspace.Workspace) ([]string, error) {
			names, err := w.Files.Below(w.Layout.Docs)
			return slices.DeleteFunc(names, func(name string) bool { return !w.Layout.IsPage(name) }), err
		},
		label: func(_ *workspace.Workspace, name string) string { return name },
		file:  func(_ *workspace.Workspace, name string) string { return name },
	},
	{
		prefix: "causal://node/", template: "causal://node/{+module}", name: "node", mime: "application/yaml",
		about: "the knowledge node of a module with its evidence, by its path from the root, such as internal/money",
		files: func(w *workspace.Workspace) ([]string, error) {
			names, err := w.Files.Below(w.Layout.NodesDir())
			return slices.DeleteFunc(names, func(name string) bool { return !w.Layout.IsNode(name) }), err
		},
		label: func(w *workspace.Workspace, name string) string {
			module, _ := w.Layout.ModuleOf(name)
			return module
		},
		file: func(w *workspace.Workspace, module string) string {
			if module == "" { // some clients normalize the root's dot away
				module = "."
			}
			return w.Layout.Node(module)
		},
	},
}

func (s *Server) addResources() {
	for _, r := range rooms {
		s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{
			Name: r.name, URITemplate: r.template, MIMEType: r.mime, Description: r.about,
		}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return s.readResource(ctx, r, req.Params.URI)
		})
	}
	// the list depends on the work tree, so it is built per request
	s.sdk.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if list, ok := req.(*mcp.ListResourcesRequest); ok && method == "resources/list" {
				return s.listResources(ctx, list)
			}
			return next(ctx, method, req)
		}
	})
}

func (r room) address(label string) string {
	segments := strings.Split(label, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return r.prefix + strings.Join(segments, "/")
}

func (s *Server) listResources(ctx context.Context, req *mcp.ListResourcesRequest) (*mcp.ListResourcesResult, error) {
	out := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}}
	after := ""
	if req.Params != nil {
		after = req.Params.Cursor
	}
	err := s.in(ctx, s.thinking, func(w *workspace.Workspace) error {
		for _, r := range rooms {
			names, err := r.files(w)
			if err != nil {
				return err
			}
			for _, name := range names {
				label := r.label(w, name)
				out.Resources = append(out.Resources, &mcp.Resource{
					URI: r.address(label), Name: plain.Line(r.name+" "+label, plain.Longest), MIMEType: r.mime,
				})
			}
		}
		return nil
	})
	if err != nil {
		return nil, explained(err)
	}
	// the cursor is an address, which stays valid when resources change
	slices.SortFunc(out.Resources, func(a, b *mcp.Resource) int { return strings.Compare(a.URI, b.URI) })
	from, _ := slices.BinarySearchFunc(out.Resources, after+"\x00", func(r *mcp.Resource, to string) int { return strings.Compare(r.URI, to) })
	if after == "" {
		from = 0
	}
	out.Resources = out.Resources[from:]
	if len(out.Resources) > mostListed {
		out.Resources = out.Resources[:mostListed]
		out.NextCursor = out.Resources[mostListed-1].URI
	}
	out.CacheScope = "private"
	return out, nil
}

// readResource reads only listed files: an address is looked up, never used as a path.
func (s *Server) readResource(ctx context.Context, r room, uri string) (*mcp.ReadResourceResult, error) {
	label, err := url.PathUnescape(strings.TrimPrefix(uri, r.prefix))
	if err != nil {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	a, err := s.look(ctx, func(w *workspace.Workspace, e *workspace.Knowledge) (*answered, error) {
		names, err := r.files(w)
		if err != nil {
			return nil, err
		}
		name := r.file(w, label)
		if !slices.Contains(names, name) {
			return nil, mcp.ResourceNotFoundError(uri)
		}
		if err := e.Look(ctx); err != nil {
			return nil, err
		}
		data, differs, err := e.Current(name)
		if err != nil {
			return nil, err
		}
		shown, left := shorten(string(data), mostResource)
		text := plain.Text(shown, 2*mostResource)
		if left > 0 {
			text += fmt.Sprintf("\n[The answer was shortened: %d more lines are in %s.]\n", left, plain.Line(name, plain.Longest))
		}
		if differs {
			text += "\n# [The stored file is out of date: this is the text that `causal update` would write.]\n"
		}
		return &answered{text: text}, nil
	})
	if err != nil {
		return nil, explained(err)
	}
	out := &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: r.mime, Text: a.text}}}
	out.CacheScope = "private"
	return out, nil
}
