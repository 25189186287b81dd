package weights

// storageKinds are PyTorch's classes of storages.
var storageKinds = map[string]string{
	"FloatStorage": "F32", "HalfStorage": "F16", "BFloat16Storage": "BF16", "DoubleStorage": "F64", "LongStorage": "I64", "IntStorage": "I32",
	"ShortStorage": "I16", "CharStorage": "I8", "ByteStorage": "U8", "BoolStorage": "BOOL",
}

// maxDimensions is the greatest number of dimensions of a tensor.
const maxDimensions = 32

// call executes the known functions, which make tensors.
func (p *pickle) call(function, arguments any) {
	g, isGlobal := function.(global)
	args, isTuple := arguments.(tuple)
	switch {
	case p.err != nil:
	case !isGlobal || !isTuple:
		p.fail("the pickle calls something that is not a function: the file is damaged")
	case g == global{"collections", "OrderedDict"}:
		p.push(p.ordered(args))
	case g == global{"torch._utils", "_rebuild_tensor_v2"} || g == global{"torch._utils", "_rebuild_tensor"}:
		p.push(p.tensor(args))
	case (g == global{"torch._utils", "_rebuild_parameter"} || g == global{"torch.nn.parameter", "Parameter"}) && len(args) > 0:
		p.push(args[0])
	case g == global{"torch", "Size"} && len(args) == 1:
		p.push(args[0])
	default:
		p.fail("the file calls %s.%s, which is not executed: only tensors are read; if you trust the file, convert the model to safetensors", g.module, g.name)
	}
}

// ordered is an OrderedDict, made empty or of pairs. The pairs count as values, because any number of
// dictionaries may be made of the same ones.
func (p *pickle) ordered(args tuple) *dict {
	d := &dict{}
	if len(args) == 0 {
		return d
	}
	if pairs, ok := args[0].(*list); ok && p.count(2*len(pairs.items)) {
		for _, item := range pairs.items {
			switch pair := item.(type) {
			case tuple:
				if len(pair) == 2 {
					d.keys, d.values = append(d.keys, pair[0]), append(d.values, pair[1])
				}
			case *list:
				if len(pair.items) == 2 {
					d.keys, d.values = append(d.keys, pair.items[0]), append(d.values, pair.items[1])
				}
			}
		}
	}
	return d
}

// tensor reads (storage, offset, shape, stride, …).
func (p *pickle) tensor(args tuple) *view {
	v := &view{}
	ok := len(args) >= 4
	if ok {
		v.storage, ok = args[0].(*storage)
	}
	if ok {
		v.offset, ok = args[1].(int64)
	}
	if ok {
		var ok2 bool
		v.shape, ok = integers(args[2])
		v.stride, ok2 = integers(args[3])
		ok = ok && ok2 && len(v.shape) == len(v.stride) && len(v.shape) <= maxDimensions && v.offset >= 0
	}
	if !ok {
		p.fail("the pickle has a tensor without storage, offset, shape or stride: the file is damaged")
	}
	return v
}

// integers returns a tuple's integers, which must not be negative.
func integers(v any) ([]int64, bool) {
	t, ok := v.(tuple)
	if !ok {
		return nil, false
	}
	numbers := make([]int64, len(t))
	for i, item := range t {
		if numbers[i], ok = item.(int64); !ok || numbers[i] < 0 {
			return nil, false
		}
	}
	return numbers, true
}

// persistent reads ("storage", class, key, device, elements).
func (p *pickle) persistent(id any) {
	t, ok := id.(tuple)
	s := &storage{}
	if ok = ok && len(t) >= 5 && t[0] == any("storage"); ok {
		class, isGlobal := t[1].(global)
		var ok1, ok2 bool
		s.key, ok1 = t[2].(string)
		s.n, ok2 = t[4].(int64)
		s.kind = storageKinds[class.name]
		if isGlobal && s.kind == "" {
			p.fail("the file has a %s.%s, which is not read: convert the model to safetensors", class.module, class.name)
			return
		}
		ok = isGlobal && class.module == "torch" && ok1 && ok2 && s.n >= 0
	}
	if !ok {
		p.fail("the pickle refers to something that is not a storage of numbers: the file is damaged, or holds more than tensors")
	}
	p.push(s)
}
