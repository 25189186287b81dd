//go:build wasm

package main

import (
	"strconv"

	"github.com/vantage-search/vantage/internal/wasm/abi"
)

// handles maps numbers to the objects of one kind that a host holds.
type handles[T any] struct {
	kind    string
	last    uint32
	objects map[uint32]T
}

func newHandles[T any](kind string) *handles[T] {
	return &handles[T]{kind: kind, objects: map[uint32]T{}}
}

func (h *handles[T]) add(object T) int {
	h.last++
	h.objects[h.last] = object
	return int(h.last)
}

func (h *handles[T]) get(handle uint32) (T, error) {
	object, ok := h.objects[handle]
	if !ok {
		return object, &codedError{abi.CodeHandle, "no " + h.kind + " has handle " + strconv.Itoa(int(handle))}
	}
	return object, nil
}

func (h *handles[T]) close(handle uint32) int32 {
	return call(func() (int, error) {
		_, err := h.get(handle)
		delete(h.objects, handle)
		return 0, err
	})
}
