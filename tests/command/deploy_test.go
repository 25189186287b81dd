package command

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/gorilla/websocket"

	encodeserver "github.com/vantage-search/vantage/internal/server"
	"github.com/vantage-search/vantage/internal/server/wire"
	"github.com/vantage-search/vantage/internal/testing/tools"
)

func deployed(t *testing.T, name string) string {
	t.Helper()
	return read(t, filepath.Join(root(t), "deploy", name))
}

// documents reads the YAML documents of a file.
func documents(t *testing.T, name string) (all []map[string]any) {
	t.Helper()
	for d := yaml.NewDecoder(strings.NewReader(deployed(t, name))); ; {
		var one map[string]any
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, one)
	}
}

// at follows keys and indices into decoded YAML or JSON.
func at[T any](t *testing.T, in any, path ...any) T {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := in.(map[string]any)
			in = object[step]
		case int:
			list, _ := in.([]any)
			if step >= len(list) {
				t.Fatalf("%v: not found", path)
			}
			in = list[step]
		}
	}
	v, ok := in.(T)
	if !ok {
		t.Fatalf("%v is %v", path, in)
	}
	return v
}

// The dashboard and the autoscalers only use metrics that a server has.
func TestDashboard(t *testing.T) {
	t.Parallel()
	s := serve(t, t.TempDir(), "--model", "static", "--log", "off")
	if answer, err := http.Post(s.url+"v1/embeddings", "application/json", strings.NewReader(`{"input":"night"}`)); err != nil || answer.StatusCode != 200 {
		t.Fatal(answer, err)
	}
	ws, _ := s.hello(t, wire.Token{})
	ws.WriteMessage(websocket.BinaryMessage, (&wire.Encode{ID: 1, DType: wire.F32, Texts: [][]byte{[]byte("night")}}).Append(nil))
	for done := false; !done; {
		_, done = frame(t, ws).(*wire.Done)
	}
	_, metrics := s.ask(t, "GET", "/metrics")
	known, labels := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(metrics) {
		if name := regexp.MustCompile(`^[a-z_0-9]+`).FindString(line); name != "" {
			known[name] = true
		}
		for _, m := range regexp.MustCompile(`[{,]([a-z_]+)="`).FindAllStringSubmatch(line, -1) {
			labels[m[1]] = true
		}
	}
	labels["instance"] = true // Prometheus adds it
	var dashboard any
	if err := json.Unmarshal([]byte(deployed(t, "grafana.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	queries := []string{at[string](t, documents(t, "keda.yaml")[0], "spec", "triggers", 0, "metadata", "query")}
	for _, metric := range at[[]any](t, documents(t, "kubernetes.yaml")[4], "spec", "metrics") {
		queries = append(queries, at[string](t, metric, "pods", "metric", "name"))
	}
	for _, rule := range at[[]any](t, documents(t, "prometheus-adapter.yaml")[0], "rules", "custom") {
		queries = append(queries, at[string](t, rule, "seriesQuery"))
	}
	for _, panel := range at[[]any](t, dashboard, "panels") {
		for _, target := range at[[]any](t, panel, "targets") {
			queries = append(queries, at[string](t, target, "expr"))
			if strings.Count(queries[len(queries)-1], "(") != strings.Count(queries[len(queries)-1], ")") {
				t.Errorf("parentheses in %s", queries[len(queries)-1])
			}
		}
	}
	if len(queries) < 20 {
		t.Errorf("%d queries", len(queries))
	}
	for _, query := range queries {
		names := regexp.MustCompile(`\b(vantage|process|go)_[a-z_0-9]+`).FindAllString(query, -1)
		if len(names) == 0 {
			t.Errorf("no metric in %s", query)
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s: the server has no %s", query, name)
			}
		}
		for _, by := range regexp.MustCompile(`by \(([a-z_, ]+)\)`).FindAllStringSubmatch(query, -1) {
			for label := range strings.SplitSeq(by[1], ", ") {
				if !labels[label] {
					t.Errorf("%s: no metric has the label %s", query, label)
				}
			}
		}
	}
}

// The commands in the files for containers, systemd and Kubernetes start, know their hosts
// and answer Kubernetes' probes. The ports, labels and times in the files agree.
func TestDeployment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "keys", "secret\n")
	parts := map[string]map[string]any{}
	for _, d := range documents(t, "kubernetes.yaml") {
		parts[at[string](t, d, "kind")] = d
	}
	write(t, dir, "kubernetes.yaml", at[string](t, parts["ConfigMap"], "data", "serve.yaml"))
	write(t, dir, "serve.yaml", deployed(t, "serve.yaml"))
	pod := at[map[string]any](t, parts["Deployment"], "spec", "template", "spec")
	container := at[map[string]any](t, pod, "containers", 0)
	var kubernetes, image []string
	for _, arg := range at[[]any](t, container, "args") {
		kubernetes = append(kubernetes, strings.Replace(arg.(string), "/etc/vantage/serve.yaml", "kubernetes.yaml", 1))
	}
	exec := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/vantage (.*)$`).FindStringSubmatch(deployed(t, "vantage.service"))
	cmd := regexp.MustCompile(`(?m)^CMD (.*)$`).FindStringSubmatch(deployed(t, "Containerfile"))
	if exec == nil || cmd == nil || json.Unmarshal([]byte(cmd[1]), &image) != nil {
		t.Fatal(exec, cmd)
	}
	unit := strings.Fields(strings.NewReplacer("/etc/vantage/", "", "%d/", "").Replace(exec[1]))
	for name, args := range map[string][]string{"kubernetes": kubernetes, "unit": unit, "image": image} {
		if args[0] != "serve" {
			t.Fatalf("%s: %v", name, args)
		}
		cmd := command(dir, append(args, "--listen", "127.0.0.1:0")...)
		if name == "image" { // set in podman's command, see below
			cmd.Env = append(cmd.Env, "VANTAGE_HOST=search.example.org")
		}
		s := await(t, cmd)
		for host, want := range map[string]bool{"search.example.org": true, "vantage": name == "kubernetes", "vantage.default.svc": name == "kubernetes", "vantage.default.svc.cluster.local": name == "kubernetes", "evil.example": false} {
			if status, _ := under(t, http.DefaultClient, host, s.url+"v1/models"); (status != 421) != want {
				t.Errorf("%s under %s: %d", name, host, status)
			}
		}
		for _, probe := range []string{"startupProbe", "livenessProbe", "readinessProbe"} {
			path := at[string](t, container, probe, "httpGet", "path")
			if r, _ := s.ask(t, "GET", path); r.StatusCode != 200 || at[string](t, container, probe, "httpGet", "port") != at[string](t, container, "ports", 0, "name") {
				t.Errorf("%s, %s: %s", name, probe, path)
			}
		}
		if name == "kubernetes" {
			if r, _ := s.ask(t, "GET", at[string](t, parts["Deployment"], "spec", "template", "metadata", "annotations", "prometheus.io/path")); r.StatusCode != 200 {
				t.Errorf("/metrics: %d", r.StatusCode)
			}
		}
		s.cmd.Process.Kill()
		s.cmd.Wait()
		s.stderr.Reset() // it logs requests
	}
	for _, image := range []string{deployed(t, "Containerfile"), read(t, filepath.Join(root(t), "docs", "deploy.md"))} {
		if run := regexp.MustCompile(`podman run [^` + "`" + `]*? vantage\b`).FindString(image); !strings.Contains(run, "-e VANTAGE_HOST=search.example.org ") {
			t.Errorf("no host in %q", run)
		}
	}
	port := at[int](t, container, "ports", 0, "containerPort")
	if !strings.Contains(at[string](t, parts["ConfigMap"], "data", "serve.yaml"), `listen: ":8080"`) || port != 8080 || !strings.Contains(cmd[1], `":8080"`) ||
		at[string](t, parts["Service"], "spec", "ports", 0, "targetPort") != at[string](t, container, "ports", 0, "name") {
		t.Error("ports differ")
	}
	name := at[string](t, parts["Deployment"], "spec", "template", "metadata", "labels", "app.kubernetes.io/name")
	for kind, path := range map[string][]any{"Deployment": {"spec", "selector", "matchLabels"}, "Service": {"spec", "selector"}, "PodDisruptionBudget": {"spec", "selector", "matchLabels"}} {
		if got := at[string](t, parts[kind], append(path, "app.kubernetes.io/name")...); got != name {
			t.Errorf("%s selects %s", kind, got)
		}
	}
	if got := at[string](t, parts["HorizontalPodAutoscaler"], "spec", "scaleTargetRef", "name"); got != at[string](t, parts["Deployment"], "metadata", "name") {
		t.Errorf("the autoscaler is for %s", got)
	}
	const drain = 20 // seconds, as docs/serve.md says
	if grace := at[int](t, pod, "terminationGracePeriodSeconds"); grace < drain+10+at[int](t, container, "lifecycle", "preStop", "sleep", "seconds") {
		t.Errorf("%d seconds to stop", grace)
	}
	if stop := regexp.MustCompile(`(?m)^TimeoutStopSec=(30|[4-9][0-9])$`).FindString(deployed(t, "vantage.service")); stop == "" {
		t.Error("systemd kills the server while it drains")
	}
}

// If a file bounds memory, it also sets GOMEMLIMIT, and the bound has room for
// everything that the server's limits allow.
func TestDeployedMemory(t *testing.T) {
	t.Parallel()
	const beside = 300 << 20 // the program and a model
	l := encodeserver.DefaultLimits()
	find := func(text, pattern string) string {
		t.Helper()
		found := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("no %s in %s", pattern, text)
		}
		return found[1]
	}
	bytes := func(text string) (n int) {
		t.Helper()
		number := strings.TrimRight(text, "MGiBg")
		unit, ok := map[string]int{"MiB": 1 << 20, "G": 1 << 30, "Gi": 1 << 30, "g": 1 << 30}[text[len(number):]]
		n, err := strconv.Atoi(number)
		if err != nil || !ok {
			t.Fatalf("%s is not a size", text)
		}
		return n * unit
	}
	unit, kubernetes, podman := deployed(t, "vantage.service"), deployed(t, "kubernetes.yaml"), read(t, filepath.Join(root(t), "docs", "deploy.md"))
	sessions, err := strconv.Atoi(find(kubernetes, `session-bytes: (\d+)`))
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]struct {
		collector, system string
		sessions          int
	}{
		"unit":       {find(unit, `(?m)^Environment=GOMEMLIMIT=(\S+)$`), find(unit, `(?m)^MemoryMax=(\S+)$`), l.SessionBytes},
		"kubernetes": {find(kubernetes, `name: GOMEMLIMIT, value: (\w+)`), find(kubernetes, `limits: \{memory: (\w+)`), sessions},
		"container":  {find(podman, `-e GOMEMLIMIT=(\S+)`), find(podman, `--memory (\S+)`), l.SessionBytes},
	} {
		collector, system := bytes(d.collector), bytes(d.system)
		if need := (l.CacheBytes+d.sessions)*11/10 + beside; collector < need || system < collector*11/10 {
			t.Errorf("%s: GOMEMLIMIT %s, at most %s; the server may need %d MB", name, d.collector, d.system, need>>20)
		}
	}
	if files, err := strconv.Atoi(find(unit, `(?m)^LimitNOFILE=(\d+)$`)); err != nil || files < l.Sockets+encodeserver.MinDescriptors {
		t.Errorf("%d descriptors for %d sockets (%v)", files, l.Sockets, err)
	}
}

// The Containerfile copies all sources of the command.
func TestContainerfile(t *testing.T) {
	t.Parallel()
	text := deployed(t, "Containerfile")
	for _, linked := range tools.Dependencies(t, "cmd/vantage") {
		path, ours := strings.CutPrefix(linked+"/", "github.com/vantage-search/vantage/")
		if !ours {
			continue
		}
		path = strings.TrimSuffix(path, "/")
		if path == "" && !strings.Contains(text, "\nCOPY *.go ./\n") {
			t.Error("the package in the root is not copied")
		}
		if top, _, _ := strings.Cut(path, "/"); path != "" && !strings.Contains(text, "\nCOPY "+top+" "+top+"\n") {
			t.Errorf("%s is not copied", path)
		}
	}
	goVersion := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, filepath.Join(root(t), "go.mod")))
	if !strings.Contains(text, "golang:"+goVersion[1]+"\n") || !regexp.MustCompile(`(?m)^USER [1-9]`).MatchString(text) {
		t.Errorf("another Go than %s, or the image runs as root", goVersion[1])
	}
}

// systemd accepts the unit, and rates its sandboxing as good.
func TestUnit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("systemd-analyze is not on the path: deploy/vantage.service is not checked")
	}
	unit := write(t, t.TempDir(), "vantage.service", strings.Replace(deployed(t, "vantage.service"), "/usr/local/bin/vantage", vantage, 1))
	for _, args := range [][]string{{"verify", "--man=no", unit}, {"security", "--offline=yes", "--threshold=15", unit}} {
		if out, err := exec.Command("systemd-analyze", args...).CombinedOutput(); err != nil || args[0] == "verify" && len(out) > 0 {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}
