// Package onnx writes models in ONNX's format, for tests and benchmarks that run
// the same weights under another runtime.
package onnx

import (
	"encoding/binary"
	"math"
	"strconv"

	pb "google.golang.org/protobuf/encoding/protowire"
)

// graph is a model under construction, in the fields of onnx.proto3.
type graph struct {
	nodes, initializers []byte
	names               int
}

// Data types of ONNX.
const (
	float   = 1
	integer = 7
)

func message(field pb.Number, b, content []byte) []byte {
	return pb.AppendBytes(pb.AppendTag(b, field, pb.BytesType), content)
}

func text(field pb.Number, b []byte, s string) []byte { return message(field, b, []byte(s)) }

func number(field pb.Number, b []byte, n int64) []byte {
	return pb.AppendVarint(pb.AppendTag(b, field, pb.VarintType), uint64(n))
}

// attribute encodes a node's attribute: an int64, a float32 or a list of int64.
func attribute(name string, value any) (b []byte) {
	b = text(1, b, name)
	switch v := value.(type) {
	case int64:
		b = number(20, number(3, b, v), 2)
	case float32:
		b = pb.AppendFixed32(pb.AppendTag(b, 2, pb.Fixed32Type), math.Float32bits(v))
		b = number(20, b, 1)
	case []int64:
		for _, n := range v {
			b = number(8, b, n)
		}
		b = number(20, b, 7)
	}
	return b
}

// node adds a node and returns the name of its output.
func (o *graph) node(op string, inputs []string, attributes ...[]byte) string {
	o.names++
	out := op + strconv.Itoa(o.names)
	var b []byte
	for _, in := range inputs {
		b = text(1, b, in)
	}
	b = text(4, text(3, text(2, b, out), out), op)
	for _, a := range attributes {
		b = message(5, b, a)
	}
	o.nodes = message(1, o.nodes, b)
	return out
}

func (o *graph) initializer(name string, kind int64, dims []int, raw []byte) string {
	var b []byte
	for _, d := range dims {
		b = number(1, b, int64(d))
	}
	b = message(9, text(8, number(2, b, kind), name), raw)
	o.initializers = message(5, o.initializers, b)
	return name
}

// floats adds constants.
func (o *graph) floats(name string, values []float32, dims ...int) string {
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return o.initializer(name, float, dims, raw)
}

func (o *graph) ints(name string, values ...int64) string {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return o.initializer(name, integer, []int{len(values)}, raw)
}

// value describes an input or output by its named dimensions.
func value(name string, kind int64, dims ...string) []byte {
	var shape []byte
	for _, d := range dims {
		shape = message(1, shape, text(2, nil, d))
	}
	tensor := message(2, number(1, nil, kind), shape)
	return message(2, text(1, nil, name), message(1, nil, tensor))
}

// model encodes the graph; result is the node whose output the model returns.
func (o *graph) model(result string, inputs []string) []byte {
	o.nodes = message(1, o.nodes, text(4, text(2, text(1, nil, result), "last_hidden_state"), "Identity"))
	all := append(text(2, o.nodes, "bert"), o.initializers...)
	for _, in := range inputs {
		all = message(11, all, value(in, integer, "batch", "tokens"))
	}
	all = message(12, all, value("last_hidden_state", float, "batch", "tokens", "hidden"))
	b := number(1, nil, 8)
	b = message(7, b, all)
	return message(8, b, number(2, nil, 17))
}
