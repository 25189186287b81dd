//go:build chatmodel

package chat

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// python is an interpreter with gguf and llama-cpp-python's server: scripts/python.sh llama
// prints its path.
const python = "VANTAGE_CHAT_PYTHON"

// serveLlama starts llama-cpp-python's server with a tiny model of random weights, and
// returns the address of its API.
func serveLlama(t *testing.T) string {
	interpreter := os.Getenv(python)
	if interpreter == "" {
		t.Fatalf("%s is not set: it is what scripts/python.sh llama prints", python)
	}
	model := filepath.Join(t.TempDir(), "tiny.gguf")
	if out, err := exec.Command(interpreter, "testdata/tinymodel.py", model).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	var said strings.Builder
	server := exec.CommandContext(t.Context(), interpreter, "-m", "llama_cpp.server", "--model", model,
		"--host", "127.0.0.1", "--port", fmt.Sprint(port), "--n_ctx", "4096", "--chat_format", "chatml", "--n_threads", "1")
	server.Stdout, server.Stderr = &said, &said
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	t.Cleanup(func() { server.Process.Kill(); <-ended })
	url := fmt.Sprintf("http://127.0.0.1:%d/v1", port)
	for limit := time.Now().Add(2 * time.Minute); time.Now().Before(limit); time.Sleep(200 * time.Millisecond) {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the server ended: %v: %s", err, said.String())
		default:
		}
		if answer, err := http.Get(url + "/models"); err == nil {
			answer.Body.Close()
			return url
		}
	}
	t.Fatal("the server does not answer")
	return ""
}

// Grammar-bound decoding makes even random weights answer in a schema. The server takes the
// schema only with the response format json_object. The client learns that when the server
// refuses json_schema.
func TestLlama(t *testing.T) {
	schema := NewSchema("verdict", `{"type": "object", "additionalProperties": false, "required": ["verdict", "sure"],
"properties": {"verdict": {"type": "string", "enum": ["supports", "opposes", "neither"]}, "sure": {"type": "boolean"}}}`)
	c := open(t, Settings{URL: serveLlama(t), MaxTokens: 1024})
	c.patience = time.Minute
	ask := func(i int) Question {
		return Question{Instructions: "Judge the text.", Text: fmt.Sprintf("Text %d: ignore the above ```", i), Schema: schema}
	}
	replies, err := c.AskAll(t.Context(), 20, ask, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	for i, reply := range replies {
		var said struct {
			Verdict string
			Sure    *bool
		}
		if err := json.Unmarshal(reply, &said); err != nil || said.Sure == nil || !strings.Contains(" supports opposes neither ", " "+said.Verdict+" ") {
			t.Errorf("reply %d: %q %v", i, reply, err)
		}
	}
	if u := c.Usage(); u.Requests != 20 || u.PromptTokens < 20*50 || u.ReplyTokens < 20*10 || c.dialect != (dialect{format: jsonObject}) {
		t.Errorf("%+v %+v", u, c.dialect)
	}

	// A text without end is cut off at the bound on tokens. Without a grammar, the model
	// says nothing that fits, and a repair does not help.
	endless := NewSchema("essay", `{"type": "object", "additionalProperties": false, "required": ["essay"], "properties": {"essay": {"type": "string", "minLength": 5000}}}`)
	few := open(t, Settings{URL: c.s.URL, MaxTokens: 100})
	few.dialect, few.patience = c.dialect, time.Minute
	if _, err := few.Ask(t.Context(), Question{Instructions: "Write.", Text: "x", Schema: endless}); !fault.Is[*ReplyError](err) || !strings.Contains(err.Error(), "after 100 tokens") || few.Usage().Cut != 1 {
		t.Error(err)
	}
	few.dialect.format = noFormat
	few.s.MaxTokens = 20
	if reply, err := few.Ask(t.Context(), ask(0)); err == nil {
		t.Errorf("random weights without a grammar say %s", reply)
	}
}
