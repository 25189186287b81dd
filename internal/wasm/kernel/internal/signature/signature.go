// Package signature lists the functions of the wasm kernel, once. The Go
// imports, the shim, the glue and the checks on kernel.wasm are derived from it.
package signature

// Type is a parameter's or a result's type.
type Type int

const (
	None Type = iota // no result
	F32
	F64
	I32
	U32
	PointerF32
	PointerI8
	PointerI16
	PointerU32
	PointerU8
)

// ValueType is a WebAssembly value type in its binary form.
type ValueType byte

const (
	WasmI32 ValueType = 0x7f
	WasmF32 ValueType = 0x7d
	WasmF64 ValueType = 0x7c
)

// Wasm returns the value type that t has at the module's border; pointers are
// 32-bit addresses there.
func (t Type) Wasm() ValueType {
	switch t {
	case F32:
		return WasmF32
	case F64:
		return WasmF64
	default:
		return WasmI32
	}
}

// Go returns t as a Go type.
func (t Type) Go() string {
	return [...]string{"", "float32", "float64", "int32", "uint32", "*float32", "*int8", "*int16", "*uint32", "*uint8"}[t]
}

// Param is one parameter.
type Param struct {
	Name string
	Type Type
}

// Function is one export of the kernel.
type Function struct {
	Package string // that calls it
	Name    string // of the export
	Go      string // of the Go declaration that imports it
	Params  []Param
	Result  Type
}

// Wasm returns the parameters and results at the module's border.
func (f Function) Wasm() (params, results []ValueType) {
	for _, p := range f.Params {
		params = append(params, p.Type.Wasm())
	}
	if f.Result != None {
		results = append(results, f.Result.Wasm())
	}
	return params, results
}

// Functions are the kernel's exports, in the order of the shim's table.
var Functions = []Function{
	{"kernel", "dot_f32", "wasmDotF32", []Param{
		{"a", PointerF32}, {"b", PointerF32}, {"n", U32}}, F32},
	{"kernel", "dot_i8", "wasmDotI8", []Param{
		{"a", PointerI8}, {"b", PointerI8}, {"n", U32}}, I32},
	{"kernel", "scan_f32", "wasmScanF32", []Param{
		{"x", PointerF32}, {"rows", PointerF32}, {"q", PointerF32}, {"n", U32}, {"stride", U32}}, None},
	{"kernel", "scan2_f32", "wasmScan2F32", []Param{
		{"x", PointerF32}, {"y", PointerF32}, {"rows", PointerF32}, {"q", PointerF32}, {"p", PointerF32},
		{"n", U32}, {"stride", U32}}, None},
	{"kernel", "scan_i8", "wasmScanI8", []Param{
		{"x", PointerF32}, {"rows", PointerI8}, {"scales", PointerF32}, {"q", PointerI16}, {"qScale", F32},
		{"n", U32}, {"stride", U32}}, None},
	{"kernel", "scan2_i8", "wasmScan2I8", []Param{
		{"x", PointerF32}, {"y", PointerF32}, {"rows", PointerI8}, {"scales", PointerF32},
		{"q", PointerI16}, {"p", PointerI16}, {"qScale", F32}, {"pScale", F32},
		{"n", U32}, {"stride", U32}}, None},
	{"kernel", "score", "wasmScore", []Param{
		{"out", PointerF32}, {"x", PointerF32}, {"y", PointerF32}, {"norm2", PointerF32}, {"n", U32},
		{"a", F64}, {"x0", F64}, {"d0", F64}, {"d1", F64}, {"d2", F64}}, None},
	{"kernel", "select_ge", "wasmSelectGE", []Param{
		{"idx", PointerU32}, {"scores", PointerF32}, {"n", U32}, {"threshold", F32}}, U32},
	{"kernel", "add_scaled", "wasmAddScaled", []Param{
		{"out", PointerF32}, {"x", PointerF32}, {"scale", PointerF32}, {"most", F32}, {"n", U32}}, None},
	{"dense", "gelu", "wasmGELU", []Param{{"x", PointerF32}, {"n", U32}}, None},
	{"dense", "gelu_tanh", "wasmGELUTanh", []Param{{"x", PointerF32}, {"n", U32}}, None},
	{"dense", "norm_rows", "wasmNormRows", []Param{
		{"x", PointerF32}, {"residual", PointerF32}, {"ld", U32}, {"rows", U32}, {"width", U32},
		{"gamma", PointerF32}, {"beta", PointerF32}, {"epsilon", F32}}, None},
	{"dense", "round_rows", "wasmRoundRows", []Param{
		{"to", PointerI16}, {"scales", PointerF32}, {"middles", PointerF32}, {"x", PointerF32},
		{"ldx", U32}, {"rows", U32}, {"width", U32}}, None},
	{"dense", "linear_i8", "wasmLinearI8", []Param{
		{"y", PointerF32}, {"ldy", U32}, {"x", PointerI16}, {"rowScales", PointerF32}, {"rowMiddles", PointerF32},
		{"rows", U32}, {"groups", U32}, {"weights", PointerI8}, {"scales", PointerF32}, {"sums", PointerF32}, {"bias", PointerF32},
		{"outputs", U32}, {"form", U32}}, None},
	{"dense", "attention", "wasmAttention", []Param{
		{"out", PointerF32}, {"ldo", U32}, {"q", PointerF32}, {"k", PointerF32}, {"v", PointerF32}, {"ld", U32},
		{"n", U32}, {"dim", U32}, {"scale", F32}, {"keys", PointerF32}, {"scores", PointerF32}}, None},
	{"dense", "pack_i8", "wasmPackI8", []Param{
		{"values", PointerI8}, {"sums", PointerF32}, {"scales", PointerF32}, {"outputs", U32}, {"in", U32}, {"rows", PointerI8}}, U32},
	{"pack", "read_q4", "wasmReadQ4", []Param{
		{"to", PointerI8}, {"scales", PointerF32}, {"from", PointerU8}, {"rows", U32}, {"width", U32}}, U32},
}
