package browser

import (
	"slices"
	"strings"
	"testing"
)

// BEIR's judgements and gzipped files evaluate like TREC's; faults in them are reported with their lines.
func TestEvaluateReadsBEIR(t *testing.T) {
	t.Parallel()
	page := evaluatorPage(t, nil)
	for _, worker := range []bool{true, false} {
		got := call[map[string]string](t, page, `async (worker) => {`+withEvaluator+`
			const zip = async (text) => new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
			const trec = '1 0 a 1\n1 0 b 2\n2 0 a 1\n';
			const beir = 'query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t2\n2\ta\t1\n';
			const run = '1 Q0 a 1 2 mine\n1 Q0 c 2 3 mine\n2 Q0 a 1 2 mine\n';
			const zipped = await zip(beir);
			const out = {};
			for (const [name, content, ranked] of [
				['trec', trec, run], ['beir', beir, run], ['gzip', zipped, run], ['blob', new Blob([zipped]), new Blob([await zip(run)])],
				['bad line', await zip(beir + '2\tb\tgood\n'), run], ['cut', zipped.slice(0, 30), run], ['cut blob', new Blob([zipped.slice(0, 30)]), run],
				['joined', new Blob([zipped, await zip('3\ta\t1\n')]), run],
			]) {
				try {
					const { averages, queries } = await vantage.evaluate({ qrels: { name: 'q.tsv', content }, run: { name: 'r.txt', content: ranked }, measures: ['official', 'nDCG@10'] });
					out[name] = JSON.stringify({ averages, queries });
				} catch (error) {
					out[name] = [error.name, error.line, error.message].join(' ');
				}
			}
			const other = { name: 'o.txt', content: '1 Q0 b 1 2 other\n2 Q0 c 1 2 other\n' };
			for (const [name, content] of [['compare trec', trec], ['compare beir', zipped]]) {
				out[name] = JSON.stringify(await vantage.compare({ qrels: { name: 'q.tsv', content }, runs: [{ name: 'r.txt', content: run }, other], measures: ['nDCG@10'], rounds: 100 }));
			}
			vantage.close();
			return out;
		}`, worker)
		if !strings.Contains(got["trec"], `"queries":2`) || !strings.Contains(got["compare trec"], `"queries":2`) {
			t.Fatalf("%v", got)
		}
		for name, want := range map[string]string{"beir": got["trec"], "gzip": got["trec"], "blob": got["trec"], "compare beir": got["compare trec"]} {
			if got[name] != want {
				t.Errorf("worker %v, %s: %s, want %s", worker, name, got[name], want)
			}
		}
		for name, want := range map[string]string{
			"bad line": `FormatError 5 q.tsv:5: the score "good" is not an integer of 32 bits`, "cut": "FormatError  q.tsv: broken gzip data", "cut blob": "FormatError  q.tsv: broken gzip data",
			"joined": "FormatError  q.tsv: broken gzip data, or several gzip files in one", // the browser reads only the first of them
		} {
			if !strings.HasPrefix(got[name], want) {
				t.Errorf("worker %v, %s: %q, want %q", worker, name, got[name], want)
			}
		}
	}
}

// The page accepts such files, dropped anywhere, and distinguishes them from runs.
func TestEvalPageTakesBEIR(t *testing.T) {
	t.Parallel()
	page := evalPage(t)
	qrels, run, _ := trecFixture(t)
	call[any](t, page, `async (qrels, run) => {
		const beir = 'query-id\tcorpus-id\tscore\n' + qrels.trim().split('\n').map((line) => line.trim().split(/\s+/)).map(([query, , document, grade]) => [query, document, grade].join('\t') + '\n').join('');
		const zip = async (text) => new Blob([await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()]);
		const transfer = new DataTransfer();
		transfer.items.add(new File([await zip(beir)], 'test.tsv.gz'));
		transfer.items.add(new File([await zip(run)], 'run.txt.gz'));
		document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
	}`, qrels.Content, run.Content)
	waitEvaluated(t, page)
	beir := table(t, page, "means")
	call[any](t, page, `() => document.querySelector('#runs-list .remove').click()`)
	call[any](t, page, give, "qrels", []given{qrels})
	call[any](t, page, give, "runs", []given{{"run.txt.gz", run.Content}})
	waitEvaluated(t, page)
	if trec := table(t, page, "means"); len(trec) == 0 || !slices.EqualFunc(beir, trec, slices.Equal) {
		t.Errorf("%q, want %q", beir, trec)
	}
}
