package github

import "context"

// Viewer returns the login that the client's token belongs to.
func (c *Client) Viewer(ctx context.Context) (string, error) {
	var data struct {
		Viewer struct {
			Login string `json:"login"`
		} `json:"viewer"`
	}
	if err := c.graphQL(ctx, "ask whose token it is", "", `query { viewer { login } }`, nil, &data); err != nil {
		return "", err
	}
	return data.Viewer.Login, nil
}
