package chat

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/testing/chatscript"
)

// serve starts a server that gives replies in turn, the last one for ever.
func serve(t *testing.T, replies ...chatscript.Reply) *chatscript.Server {
	return chatscript.Serve(t, chatscript.InTurn(replies...))
}

func says(content string) chatscript.Reply { return chatscript.Reply{Content: content} }

// cut is a reply that the bound on tokens has cut.
func cut(content string) chatscript.Reply {
	return chatscript.Reply{Content: content, Finish: "length"}
}

func raw(status int, body string, header ...string) chatscript.Reply {
	r := chatscript.Reply{Status: status, Body: body, Header: map[string]string{}}
	for i := 0; i < len(header); i += 2 {
		r.Header[header[i]] = header[i+1]
	}
	return r
}

// packed sends a small body that is far too long when it is unpacked.
func packed(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	io.WriteString(z, strings.Repeat(" ", 2<<20))
	z.Close()
}

// endless sends a body without an end, as fast as it can or with a pause after each KB.
func endless(slow bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat(" ", 1<<10)); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			if slow {
				time.Sleep(time.Millisecond)
			}
		}
	}
}
