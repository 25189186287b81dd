//go:build wasm

package main

import (
	"errors"
	"strconv"
	"unsafe"
)

// describe uses what descriptions of types must still have after stripping: type
// switches by hashes, methods that are looked up by name, and fields that are compared
// and hashed.
func describe() {
	type local struct{ x int }
	type other struct{ x int }
	values := []any{1, int8(1), uint16(1), "1", 1.0, []int{}, map[string]int{}, local{1}, &local{1}, receiver{}, &receiver{}, errors.New(""), nil, other{1}, [1]other{}}
	for i, v := range values {
		if got := kindOf[local](v); got != min(i, 13) {
			panic("a value of type " + strconv.Itoa(i) + " is taken for one of type " + strconv.Itoa(got))
		}
	}

	one, two := padded{1, 2, "3"}, padded{1, 4, "3"}
	*(*int)(unsafe.Add(unsafe.Pointer(&two), unsafe.Sizeof(0))) = 5 // the blank field
	keys := map[any]string{one: "padded", [2]any{1, "1"}: "array", any(local{1}): "local", other{1}: "other", receiver{"x"}: "receiver"}
	for key, want := range map[any]string{two: "padded", [2]any{1, "1"}: "array", local{1}: "local", other{1}: "other", receiver{"x"}: "receiver"} {
		if keys[key] != want {
			panic("the key of " + want + " gives " + keys[key])
		}
	}
	if _, ok := keys[local{2}]; ok || len(keys) != 5 {
		panic("a key that is not there")
	}

	for i, v := range values {
		_, fails := v.(error)
		_, hidden := v.(interface{ hidden() int })
		_, recovers := v.(interface{ Recover(*any) })
		_, nothing := v.(interface{ Nothing() })
		if fails != (9 <= i && i <= 11) || hidden || recovers != (i == 9 || i == 10) || nothing != (i == 10) {
			panic("methods of a value of type " + strconv.Itoa(i))
		}
	}
	if h, ok := any(padded{}).(interface{ hidden() int }); !ok || h.hidden() != 7 {
		panic("a method without capital letter")
	}
	if r, ok := errors.AsType[receiver](errors.Join(errors.New("a"), receiver{"b"})); !ok || r.text != "b" {
		panic("an error among others")
	}
}

type padded struct {
	a int
	_ int
	b string
}

func (padded) hidden() int { return 7 }

// kindOf tells types apart by their hashes, because they are many.
func kindOf[T any](v any) int {
	switch v.(type) {
	case int:
		return 0
	case int8:
		return 1
	case uint16:
		return 2
	case string:
		return 3
	case float64:
		return 4
	case []int:
		return 5
	case map[string]int:
		return 6
	case T:
		return 7
	case *T:
		return 8
	case receiver:
		return 9
	case *receiver:
		return 10
	case error:
		return 11
	case nil:
		return 12
	}
	return 13
}
