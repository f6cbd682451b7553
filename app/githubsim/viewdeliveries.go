package githubsim

import (
	"encoding/json"
	"net/http"
)

// delivered reports whether the receiver was content.
func (d *delivery) delivered() bool { return d.code >= 200 && d.code < 300 }

func (d *delivery) view() object {
	number := func(n int64) any {
		if n == 0 {
			return nil
		}
		return n
	}
	return object{
		"id": d.id, "guid": d.guid, "delivered_at": stamp(d.at), "redelivery": d.again, "duration": d.took.Seconds(), "status": d.status,
		"status_code": d.code, "event": d.event, "action": orNil(d.action), "installation_id": number(d.installation), "repository_id": number(d.repository),
		"throttled_at": nil,
	}
}

// viewExchange is what was sent and what was answered.
func (d *delivery) viewExchange() object {
	return object{
		"url": d.url, "request": object{"headers": d.headers, "payload": json.RawMessage(d.payload)},
		"response": object{"headers": d.answered, "payload": d.answer},
	}
}

func flat(header http.Header) object {
	out := object{}
	for name := range header {
		out[name] = header.Get(name)
	}
	return out
}
