package model

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
)

// poolingModes are sentence-transformers' ways of pooling: their names, and the flags
// that select them in versions before 6. If several flags are on, their vectors are
// concatenated in this order.
var poolingModes = []struct {
	name, flag string
	pooling    Pooling
}{
	{"cls", "pooling_mode_cls_token", CLS},
	{"max", "pooling_mode_max_tokens", Max},
	{"mean", "pooling_mode_mean_tokens", Mean},
	{"mean_sqrt_len_tokens", "pooling_mode_mean_sqrt_len_tokens", RootMean},
	{"weightedmean", "pooling_mode_weightedmean_tokens", Weighted},
	{"lasttoken", "pooling_mode_lasttoken", Last},
}

// readPooling reads the module Pooling.
func (r *recipe) readPooling(at string) error {
	path := filepath.Join(at, "config.json")
	var s map[string]json.RawMessage
	ok, err := readJSON(path, &s)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%s is missing", path)
	}
	include := true
	if text, ok := s["include_prompt"]; ok {
		if err := json.Unmarshal(text, &include); err != nil {
			return fmt.Errorf("%s: include_prompt: %w", path, err)
		}
	}
	r.skipPrompt = !include
	if r.poolings, err = poolingsOf(s); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// poolingsOf reads the ways of pooling from pooling_mode, a name or a list of names, or
// otherwise from the flags. If nothing is on, it is the mean.
func poolingsOf(s map[string]json.RawMessage) (list []Pooling, err error) {
	if text, ok := s["pooling_mode"]; ok {
		names := make([]string, 1)
		if json.Unmarshal(text, &names[0]) != nil && json.Unmarshal(text, &names) != nil || len(names) == 0 || len(names) > len(poolingModes) {
			return nil, fmt.Errorf("pooling_mode is %.200s, which is neither the name of a way of pooling nor a list of such names", text)
		}
		for _, name := range names {
			p, ok := poolingMode(func(mode, _ string) bool { return mode == name })
			if !ok {
				return nil, fmt.Errorf("pooling_mode %q is not known, only %s", name, modeNames())
			}
			list = append(list, p)
		}
		return list, nil
	}
	on := func(flag string) (set bool) {
		err := json.Unmarshal(s[flag], &set)
		return err == nil && set
	}
	for flag := range s {
		if _, ok := poolingMode(func(_, known string) bool { return known == flag }); !ok && strings.HasPrefix(flag, "pooling_mode_") && on(flag) {
			return nil, fmt.Errorf("asks for the way of pooling %q, which is not known, only %s", flag, modeNames())
		}
	}
	for _, mode := range poolingModes {
		if on(mode.flag) {
			list = append(list, mode.pooling)
		}
	}
	if list == nil {
		list = []Pooling{Mean}
	}
	return list, nil
}

func poolingMode(is func(name, flag string) bool) (Pooling, bool) {
	for _, mode := range poolingModes {
		if is(mode.name, mode.flag) {
			return mode.pooling, true
		}
	}
	return "", false
}

func modeNames() string {
	names := make([]string, len(poolingModes))
	for i, mode := range poolingModes {
		names[i] = mode.name
	}
	return strings.Join(names, ", ")
}
