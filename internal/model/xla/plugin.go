package xla

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// PluginVariable is the environment variable that names the PJRT plugin.
const PluginVariable = "VANTAGE_PJRT_PLUGIN"

// pluginPattern is the path of the plugin in jax's packages for CUDA, below a folder of
// Python packages.
const pluginPattern = "jax_plugins/xla_cuda*/xla_cuda_plugin.so"

// findPlugin returns the absolute path of the PJRT plugin: the one that the environment
// names, otherwise the one for the newest CUDA in the first of Python's package folders that
// have any.
func findPlugin() (string, error) {
	if named := os.Getenv(PluginVariable); named != "" {
		if info, err := os.Stat(named); err != nil {
			return "", fmt.Errorf("%s: %w", PluginVariable, err)
		} else if info.IsDir() {
			return "", fmt.Errorf("%s names the folder %s: name the file xla_cuda_plugin.so in it", PluginVariable, named)
		}
		return filepath.Abs(named)
	}
	var looked []string
	for _, folder := range packageFolders() {
		pattern := filepath.Join(folder, filepath.FromSlash(pluginPattern))
		found, err := filepath.Glob(pattern)
		if err == nil && len(found) > 0 {
			return slices.MaxFunc(found, func(a, b string) int {
				return cmp.Or(cmp.Compare(filepath.Base(filepath.Dir(a)), filepath.Base(filepath.Dir(b))), cmp.Compare(a, b))
			}), nil
		}
		looked = append(looked, pattern)
	}
	return "", fmt.Errorf("no PJRT plugin for CUDA: set %s to the path of xla_cuda_plugin.so, which Python's packages jax[cuda12] and jax[cuda13] bring; there is none as\n%s",
		PluginVariable, strings.Join(looked, "\n"))
}

// packageFolders are Python's package folders: those of an active environment, of the environment
// of the python3 on the PATH, the user's own, and the system's.
func packageFolders() []string {
	var folders []string
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(variable); dir != "" {
			folders = append(folders, filepath.Join(dir, "lib", "python3*", "site-packages"))
		}
	}
	if python, err := exec.LookPath("python3"); err == nil {
		folders = append(folders, filepath.Join(filepath.Dir(python), "..", "lib", "python3*", "site-packages"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, filepath.Join(home, ".local", "lib", "python3*", "site-packages"))
	}
	return append(folders, "/usr/local/lib/python3*/site-packages", "/usr/local/lib/python3*/dist-packages", "/usr/lib/python3*/dist-packages")
}

// flags completes XLA_FLAGS for a plugin. It keeps flags that the user has set.
//
// The compiler needs CUDA's device library, which Python's packages have beside the
// plugin. For f32, Triton's products are disabled, because they would round to TF32.
// NVIDIA_TF32_OVERRIDE=0 has the same effect on NVIDIA's libraries.
func flags(set, plugin string, bf16 bool) string {
	add := func(flag, value string) {
		if !strings.Contains(set, flag+"=") {
			set = strings.TrimSpace(set + " " + flag + "=" + value)
		}
	}
	if !bf16 {
		add("--xla_gpu_enable_triton_gemm", "false")
	}
	packages := filepath.Join(filepath.Dir(plugin), "..", "..", "nvidia")
	for _, name := range []string{"cu13", "cuda_nvcc"} {
		data := filepath.Join(packages, name)
		if _, err := os.Stat(filepath.Join(data, "nvvm")); err == nil {
			add("--xla_gpu_cuda_data_dir", data)
			break
		}
	}
	return set
}
