package host

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/abi"
	"github.com/vantage-search/vantage/trec"
)

// The core gives the same bits as package trec natively, for every measure of trec_eval,
// and for measures that model readers or count subtopics.
func TestEvaluatesAsNatively(t *testing.T) {
	ctx := context.Background()
	engine, err := New(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(ctx)
	opened, err := engine.Core(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	in := opened.(core).in
	for _, c := range []struct {
		qrels, run string
		read       func(io.Reader, string) (*trec.Qrels, error)
		measures   []string
	}{
		{"qrels.txt", "run.txt", trec.ReadQrels, []string{"all_trec", "RBP(p=0.7)@10"}},
		{"diversity-qrels.txt", "diversity-run.txt", trec.ReadDiversityQrels, []string{"alpha_nDCG@10", "alpha_DCG@5", "ERR_IA@10", "nERR_IA@5", "NRBP", "nNRBP", "AP_IA", "P_IA@5", "StRecall@5", "MRecall@3",
			"CoverageSize", "Sycophancy(side=2)@5", "Leaning(side=1)@2", "INST(max_rel=3)", "INSQ(max_rel=2)", "BPM(max_rel=2)@10", "SDCG(max_rel=2)@10", "NERR8(max_rel=3)@5", "NERR9(max_rel=3)@5", "NERR10(max_rel=3)",
			"NERR11(max_rel=3)", "Compat", "Accuracy", "nDCG(gains={1:2,2:7})@5"}},
	} {
		text := map[string][]byte{"measures": []byte(strings.Join(c.measures, "\n")), "name": []byte("name")}
		for what, name := range map[string]string{"qrels": c.qrels, "run": c.run} {
			if text[what], err = os.ReadFile(filepath.Join("..", "..", "..", "trec", "testdata", name)); err != nil {
				t.Fatal(err)
			}
		}
		put := func(what string) (pointer, length uint64) {
			p, err := in.put(text[what])
			if err != nil {
				t.Fatal(err)
			}
			return uint64(p), uint64(len(text[what]))
		}
		call := func(name string, args ...uint64) uint32 {
			result, err := in.call(name, args...)
			if err != nil {
				t.Fatal(err)
			}
			return uint32(result)
		}
		name, nameLength := put("name")
		asked, askedLength := put("measures")
		file, length := put("qrels")
		qrels := call("qrels_open", file, length, name, nameLength, asked, askedLength)
		file, length = put("run")
		run := call("run_open", file, length, name, nameLength)
		handle, err := in.put(binary.LittleEndian.AppendUint32(nil, run))
		if err != nil {
			t.Fatal(err)
		}
		var request bytes.Buffer
		if err := binary.Write(&request, binary.LittleEndian, abi.EvaluateRequest{Qrels: qrels, Runs: handle, RunCount: 1, Measures: uint32(asked), MeasuresLength: uint32(askedLength)}); err != nil {
			t.Fatal(err)
		}
		in1, err := in.put(request.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		out, err := in.allocate(binary.Size(abi.Evaluation{}))
		if err != nil {
			t.Fatal(err)
		}
		call("run_evaluate", uint64(in1), uint64(out))
		var got abi.Evaluation
		if err := in.decode(out, &got); err != nil {
			t.Fatal(err)
		}

		judged, err := c.read(bytes.NewReader(text["qrels"]), "qrels")
		if err != nil {
			t.Fatal(err)
		}
		ranked, err := trec.ReadRun(bytes.NewReader(text["run"]), "run")
		if err != nil {
			t.Fatal(err)
		}
		measures, err := trec.ParseMeasures(c.measures)
		if err != nil {
			t.Fatal(err)
		}
		want, err := trec.Evaluate(judged, ranked, measures, trec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if int(got.NameCount) != len(want.Averages) || int(got.QueryCount) != len(want.Queries) {
			t.Fatalf("%d values of %d queries, want %d of %d", got.NameCount, got.QueryCount, len(want.Averages), len(want.Queries))
		}
		values, err := in.read(got.Values, 8*got.NameCount*got.QueryCount)
		if err != nil {
			t.Fatal(err)
		}
		averages, err := in.read(got.Averages, 8*got.NameCount)
		if err != nil {
			t.Fatal(err)
		}
		same := func(b []byte, at int, want float64) bool {
			v := math.Float64frombits(binary.LittleEndian.Uint64(b[8*at:]))
			return math.Float64bits(v) == math.Float64bits(want) || v != v && want != want
		}
		for m, w := range want.Averages {
			if !same(averages, m, w) {
				t.Errorf("value %d: the average is not %v", m, w)
			}
			for q := range want.Queries {
				if v := want.Queries[q].Values[m]; !same(values, m*len(want.Queries)+q, v) {
					t.Errorf("value %d of query %s is not %v", m, want.Queries[q].Query, v)
				}
			}
		}
	}
}
