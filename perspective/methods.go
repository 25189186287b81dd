package perspective

// Method describes one way of scoring, for callers, help texts and the page.
type Method struct {
	Name    string   // the notebook's mode name, if it has the method
	Aliases []string // the paper's short name first, if it has the method
	Summary string   // one line for people
	Formula string   // formula over q (query), r (root), p (perspective) and c (corpus entry)

	NeedsQuery, NeedsRoot, NeedsPerspective bool // vectors that Compile needs

	// Angles is the number of angle vectors that Compile needs. If it is not 0, the method
	// needs a collection whose entries have angles, too.
	Angles   int
	Strength float64 // default of Query.Strength; 0 if the method has none

	Lambda   bool // the method uses λ
	Subspace bool // perspectives span a subspace; other methods use their mean
	Gated    bool // the plan has a Gate

	compile func(*operands) (Plan, error)
}

// Short is the first alias, such as "pap+", or the name if there is none.
func (m *Method) Short() string {
	if len(m.Aliases) > 0 {
		return m.Aliases[0]
	}
	return m.Name
}

// Methods lists every method in table order. The caller may change the result.
func Methods() []Method {
	var methods []Method
	for i := range table {
		methods = append(methods, table[i].described())
	}
	return methods
}

// Lookup finds a method by name or alias, so that a caller knows which texts it must
// encode. It ignores case and takes _ for -. The error is an *UnknownMethodError.
func Lookup(name string) (Method, error) {
	m, err := find(name)
	if err != nil {
		return Method{}, err
	}
	return m.described(), nil
}

func find(name string) (*Method, error) {
	key := lookupKey(name)
	for i := range table {
		m := &table[i]
		if lookupKey(m.Name) == key {
			return m, nil
		}
		for _, alias := range m.Aliases {
			if lookupKey(alias) == key {
				return m, nil
			}
		}
	}
	return nil, &UnknownMethodError{Method: name}
}

func lookupKey(name string) string {
	key := []byte(lower(name))
	for i, c := range key {
		if c == '_' {
			key[i] = '-'
		}
	}
	return string(key)
}
