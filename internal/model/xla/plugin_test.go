package xla

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFindPlugin(t *testing.T) {
	root := t.TempDir()
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("CONDA_PREFIX", root)
	t.Setenv("HOME", root)
	t.Setenv(PluginVariable, "")
	if path, err := findPlugin(); err == nil && strings.HasPrefix(path, root) || err != nil && (!strings.Contains(err.Error(), PluginVariable) || !strings.Contains(err.Error(), root)) {
		t.Errorf("%q, %v", path, err)
	}
	packages := filepath.Join(root, "lib", "python3.12", "site-packages")
	newest := filepath.Join(packages, "jax_plugins", "xla_cuda13", "xla_cuda_plugin.so")
	for _, file := range []string{newest, filepath.Join(packages, "jax_plugins", "xla_cuda12", "xla_cuda_plugin.so"),
		filepath.Join(root, "lib", "python3.9", "site-packages", "jax_plugins", "xla_cuda12", "xla_cuda_plugin.so"), filepath.Join(packages, "nvidia", "cu13", "nvvm", "x")} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if path, err := findPlugin(); path != newest || err != nil {
		t.Errorf("%q, %v", path, err)
	}
	// Without an environment, the python3 on the PATH says where its packages are.
	python := filepath.Join(root, "bin", "python3")
	if err := os.MkdirAll(filepath.Dir(python), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(python, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CONDA_PREFIX", "")
	t.Setenv("PATH", filepath.Dir(python))
	if path, err := findPlugin(); path != newest || err != nil {
		t.Errorf("%q, %v", path, err)
	}
	for named, want := range map[string]string{filepath.Join(root, "none.so"): "no such file", packages: "names the folder"} {
		t.Setenv(PluginVariable, named)
		if path, err := findPlugin(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", named, path, err)
		}
	}
	data := "--xla_gpu_cuda_data_dir=" + filepath.Join(packages, "nvidia", "cu13")
	for _, c := range []struct {
		set  string
		bf16 bool
		want string
	}{
		{"", true, data},
		{"", false, "--xla_gpu_enable_triton_gemm=false " + data},
		{"--xla_gpu_cuda_data_dir=/mine --x", false, "--xla_gpu_cuda_data_dir=/mine --x --xla_gpu_enable_triton_gemm=false"},
	} {
		if got := flags(c.set, newest, c.bf16); got != c.want {
			t.Errorf("%q, %v: %q, want %q", c.set, c.bf16, got, c.want)
		}
	}
}
