//go:build cuda

package xla

import (
	"fmt"
	"os"

	"github.com/gomlx/go-xla/pkg/pjrt"
	"github.com/gomlx/gomlx/backends/xla"
)

// OpenCUDA opens a GPU by its number through a PJRT plugin, which findPlugin finds, and
// logs which plugin it is. It changes the process's environment, which the plugin
// reads, and a fault in the plugin can end the process.
func OpenCUDA(gpu int, bf16 bool, log func(text string)) (*Device, error) {
	plugin, err := findPlugin()
	if err != nil {
		return nil, err
	}
	environment := map[string]string{"XLA_FLAGS": flags(os.Getenv("XLA_FLAGS"), plugin, bf16)}
	if !bf16 {
		environment["NVIDIA_TF32_OVERRIDE"] = "0"
	}
	// The check looks for NVIDIA's libraries where older packages had them, and warns at length although the plugin finds them.
	if checks := "GOPJRT_CUDA_CHECKS"; os.Getenv(checks) == "" {
		environment[checks] = "no"
	}
	for name, value := range environment {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
	}
	xla.EnableAutoInstall(false) // nothing is downloaded
	var backend *xla.Backend
	err = caught(func() (err error) {
		backend, err = xla.NewWithOptions(plugin, pjrt.NamedValuesMap{
			"preallocate":     false, // other processes may use the GPU as well
			"visible_devices": []int64{int64(gpu)},
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("GPU %d does not open with the PJRT plugin %s: %w", gpu, plugin, err)
	}
	if backend.NumDevices() == 0 {
		backend.Finalize()
		return nil, fmt.Errorf("the PJRT plugin %s finds no GPU %d", plugin, gpu)
	}
	log(fmt.Sprintf("%s: %s", backend.Description(), backend.DeviceDescription(0)))
	return New(backend, fmt.Sprintf("cuda:%d", gpu), bf16), nil
}
