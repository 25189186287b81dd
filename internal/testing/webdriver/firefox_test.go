package webdriver

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// A command passes over the late answer to an earlier one that has timed out.
func TestLateAnswer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		socket, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer socket.Close()
		var asked struct{ ID int }
		if err := socket.ReadJSON(&asked); err != nil {
			t.Error(err)
		}
		for _, id := range []int{asked.ID - 1, asked.ID} {
			if err := socket.WriteJSON(map[string]any{"type": "success", "id": id, "result": id}); err != nil {
				t.Error(err)
			}
		}
	}))
	defer server.Close()
	socket, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(server.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	f := &firefox{socket: socket, answers: make(chan answer), id: 1}
	go f.listen()
	if got, err := command[int](f, "test", nil); err != nil || got != 2 {
		t.Errorf("%d, %v, want the answer to command 2", got, err)
	}
}
