package webdriver

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// A command passes over the late answer to an earlier one that has timed out.
func TestLateAnswer(t *testing.T) {
	f := dial(t, func(socket *websocket.Conn) {
		var asked struct{ ID int }
		if err := socket.ReadJSON(&asked); err != nil {
			t.Error(err)
		}
		for _, id := range []int{asked.ID - 1, asked.ID} {
			if err := socket.WriteJSON(map[string]any{"type": "success", "id": id, "result": id}); err != nil {
				t.Error(err)
			}
		}
		socket.ReadMessage() // until the other side closes
	})
	if got, err := command[int](f, "test", nil); err != nil || got != 2 {
		t.Errorf("%d, %v, want the answer to command 2", got, err)
	}
}

// Late answers that no command waits for keep the listener from nothing: it hears errors, and ends with the socket.
func TestUnwantedAnswers(t *testing.T) {
	f := dial(t, func(socket *websocket.Conn) {
		for range 3 {
			if err := socket.WriteJSON(map[string]any{"type": "success", "id": 1, "result": 1}); err != nil {
				t.Error(err)
			}
		}
		if err := socket.WriteJSON(map[string]any{"type": "event", "params": map[string]any{"level": "error", "text": "heard"}}); err != nil {
			t.Error(err)
		}
	})
	select {
	case <-f.ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the listener waits for a command")
	}
	if len(f.errors) != 1 || !strings.Contains(f.errors[0], "heard") {
		t.Errorf("errors %q", f.errors)
	}
	if _, err := command[int](f, "test", nil); err == nil {
		t.Error("a command without a browser has a result")
	}
}

// dial returns a driver that is connected to a server of our own and has sent one command.
func dial(t *testing.T, serve func(socket *websocket.Conn)) *firefox {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		socket, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer socket.Close()
		serve(socket)
	}))
	t.Cleanup(server.Close)
	socket, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(server.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	f := &firefox{socket: socket, ended: make(chan struct{}), id: 1}
	go f.listen()
	return f
}
