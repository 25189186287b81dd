package command

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/tools"
)

// builtinID is the id of the built-in model.
const builtinID = "vantage-static-en"

// OpenAI's client for JavaScript gets the vectors of `vantage embed`, over http
// and https, from texts and from the ids of `vantage tokenize`.
func TestOpenAIForNode(t *testing.T) {
	t.Parallel()
	node, folder := tools.Node(t), tools.Packages(t, "openai")
	dir := t.TempDir()
	texts := []string{"night trains help", "school uniforms — £5 " + strings.Repeat("work ", 40)}
	given := struct {
		Texts []string   `json:"texts"`
		IDs   [][]uint32 `json:"ids"`
	}{Texts: texts}
	var lines bytes.Buffer
	for _, text := range texts {
		json.NewEncoder(&lines).Encode(map[string]string{"text": text})
	}
	for line := range strings.Lines(tryWith(t, lines.String(), dir, "tokenize").stdout) {
		given.IDs = append(given.IDs, decode[struct{ IDs []uint32 }](t, line).IDs)
	}
	var want [][]float32
	tokens := 0
	for line := range strings.Lines(tryWith(t, lines.String(), dir, "embed", "--input-format", "jsonl").stdout) {
		v := decode[struct {
			Vector []float32
			Tokens int
		}](t, line)
		want, tokens = append(want, v.Vector), tokens+v.Tokens
	}
	if len(want) != 2 || len(given.IDs) != 2 {
		t.Fatal(len(want), len(given.IDs))
	}
	argument, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	writeCertificate(t, dir, 1)
	write(t, dir, "keys", "secret\n")
	for _, more := range [][]string{nil, {"--tls-cert", "cert.pem", "--tls-key", "key.pem"}} {
		s := serve(t, dir, append([]string{"--model", "static", "--log", "off", "--keys", "keys"}, more...)...)
		cmd := exec.Command(node, filepath.Join(root(t), "tests/command/testdata/openai.mjs"), folder, s.url+"v1", "secret", builtinID, string(argument))
		cmd.Env = append(os.Environ(), "NODE_EXTRA_CA_CERTS="+filepath.Join(dir, "cert.pem"))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", s.url, err)
		}
		got := decode[struct {
			Usual, Float, One, Short, Lists, List [][]float32
			Base64, Models                        []string
			Retrieved                             string
			Usage                                 struct {
				Prompt int `json:"prompt_tokens"`
				Total  int `json:"total_tokens"`
			}
			Refused []struct {
				Kind, Type, Message string
				Code, Param         *string
				Status              int
			}
		}](t, string(out))
		for name, vectors := range map[string][][]float32{"usual": got.Usual, "float": got.Float, "ids": got.Lists} {
			if !slices.EqualFunc(vectors, want, slices.Equal) {
				t.Errorf("%s: other vectors as %s", s.url, name)
			}
		}
		for name, vectors := range map[string][][]float32{"one": got.One, "one list of ids": got.List} {
			if len(vectors) != 1 || !slices.Equal(vectors[0], want[0]) {
				t.Errorf("%s: other vectors as %s", s.url, name)
			}
		}
		if len(got.Base64) != len(want) {
			t.Fatalf("%s: %d vectors as base64, want %d", s.url, len(got.Base64), len(want))
		}
		for i, text := range got.Base64 {
			b, err := base64.StdEncoding.DecodeString(text)
			v := make([]float32, len(b)/4)
			for k := range v {
				v[k] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*k:]))
			}
			if err != nil || !slices.Equal(v, want[i]) {
				t.Errorf("%s: other base64 (%v)", s.url, err)
			}
		}
		if len(got.Short) != 2 {
			t.Fatalf("%s: %d shorter vectors", s.url, len(got.Short))
		}
		length := 0.0
		for _, x := range got.Short[1] {
			length += float64(x) * float64(x)
		}
		if len(got.Short[1]) != 7 || approx.Apart(length, 1, 1e-6) {
			t.Errorf("%s: %v of length² %v", s.url, got.Short, length)
		}
		if got.Usage.Prompt != tokens || got.Usage.Total != tokens || len(got.Models) != 1 || got.Models[0] != got.Retrieved {
			t.Errorf("%s: %+v %v %s", s.url, got.Usage, got.Models, got.Retrieved)
		}
		refused := []struct {
			kind, code, param string
			status            int
		}{
			{"NotFoundError", "model_not_found", "model", 404}, {"BadRequestError", "", "dimensions", 400}, {"BadRequestError", "", "input", 400},
			{"BadRequestError", "", "input", 400}, {"BadRequestError", "", "encoding_format", 400}, {"AuthenticationError", "invalid_api_key", "", 401},
		}
		if len(got.Refused) != len(refused) {
			t.Fatalf("%s: %d refusals, want %d", s.url, len(got.Refused), len(refused))
		}
		for i, want := range refused {
			e := got.Refused[i]
			text := func(p *string) string {
				if p == nil {
					return ""
				}
				return *p
			}
			if e.Kind != want.kind || e.Status != want.status || text(e.Code) != want.code || text(e.Param) != want.param || e.Type != "invalid_request_error" || e.Message == "" {
				t.Errorf("%s: %+v, want %+v", s.url, e, want)
			}
		}
	}
}
