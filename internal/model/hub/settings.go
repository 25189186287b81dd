package hub

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// defaultEndpoint is the public hub, which is used if HF_ENDPOINT is not set.
const defaultEndpoint = "https://huggingface.co"

// settings are read from the environment, in the same way as for huggingface_hub
// ("Environment variables" in its documentation).
type settings struct {
	endpoint *url.URL // without a slash at the end
	token    string   // empty if there is none
	cache    string   // folder
	offline  bool
}

func settingsFromEnvironment() (settings, error) {
	var s settings
	address := strings.TrimRight(firstOf(os.Getenv("HF_ENDPOINT"), defaultEndpoint), "/")
	endpoint, err := url.Parse(address)
	if err != nil || endpoint.Scheme != "http" && endpoint.Scheme != "https" || endpoint.Host == "" || endpoint.RawQuery != "" {
		shown := "" // an address that cannot be parsed may hide a password anywhere
		if err == nil {
			shown = fmt.Sprintf(" %.200q", endpoint.Redacted())
		}
		return s, fmt.Errorf("HF_ENDPOINT%s is not an http:// or https:// address without a query: correct or unset it", shown)
	}
	s.endpoint = endpoint

	home := expand(os.Getenv("HF_HOME"))
	if home == "" {
		caches := expand(os.Getenv("XDG_CACHE_HOME"))
		if caches == "" {
			user, err := os.UserHomeDir()
			if err != nil {
				return s, fmt.Errorf("no folder for models: %w: set HF_HOME", err)
			}
			caches = filepath.Join(user, ".cache")
		}
		home = filepath.Join(caches, "huggingface")
	}
	// HUGGINGFACE_HUB_CACHE is the older name, which huggingface_hub still supports.
	s.cache = firstOf(expand(os.Getenv("HF_HUB_CACHE")), expand(os.Getenv("HUGGINGFACE_HUB_CACHE")), filepath.Join(home, "hub"))
	if s.cache, err = filepath.Abs(s.cache); err != nil {
		return s, err
	}

	s.offline = isTrue(firstOf(os.Getenv("HF_HUB_OFFLINE"), os.Getenv("TRANSFORMERS_OFFLINE")))
	if s.offline {
		return s, nil
	}
	if s.token = strings.TrimSpace(os.Getenv("HF_TOKEN")); s.token == "" {
		file := firstOf(expand(os.Getenv("HF_TOKEN_PATH")), filepath.Join(home, "token"))
		if s.token, err = readToken(file); err != nil {
			return s, err
		}
	}
	if strings.ContainsFunc(s.token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return s, fmt.Errorf("the token of HF_TOKEN or its file has characters that no token has: copy it again") // without the token itself
	}
	return s, nil
}

// readToken reads the file that `hf auth login` writes. Without the file, there is no
// token.
func readToken(file string) (string, error) {
	const most = 4096 // bytes; tokens have some 40
	info, err := os.Stat(file)
	if os.IsNotExist(err) {
		return "", nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > most) {
		return "", fmt.Errorf("%s: no token file: at most %d bytes are expected: remove it, or set HF_TOKEN", file, most)
	}
	if err != nil {
		return "", err
	}
	b, err := os.ReadFile(file)
	return strings.TrimSpace(string(b)), err
}

// expand replaces ~ and $VARIABLES as Python does for these settings, except that a variable
// that is not set becomes empty.
func expand(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		if user, err := os.UserHomeDir(); err == nil {
			path = user + path[1:]
		}
	}
	return os.ExpandEnv(path)
}

func isTrue(value string) bool {
	return slices.Contains([]string{"1", "ON", "YES", "TRUE"}, strings.ToUpper(value))
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
