package pack

import (
	"strconv"
	"strings"

	"github.com/vantage-search/vantage/internal/wasm/encode"
	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/jsonlite"
)

// Parse reads a pack.json and checks it as a whole: after that, only payload can
// be wrong. It does not keep json.
func Parse(json []byte) (*Manifest, error) {
	if len(json) > MaxManifest {
		return nil, limit("the length of pack.json in bytes", int64(len(json)), MaxManifest, "this is no pack")
	}
	if err := checkVersion(json); err != nil {
		return nil, err
	}
	m := &Manifest{}
	r := jsonlite.NewReader(json).Strict()
	m.read(r)
	if err := r.End(); err != nil {
		return nil, fault.As(fault.Of(err), &manifestError{err})
	}
	return m, m.check()
}

type manifestError struct{ err error }

func (e *manifestError) Error() string { return "pack: pack.json: " + e.err.Error() + again }
func (e *manifestError) Unwrap() error { return e.err }

// checkVersion looks at format and version alone, before the rest, which another
// version may write differently.
func checkVersion(json []byte) error {
	format, version := "", int64(0)
	r := jsonlite.NewReader(json).Strict()
	object(r, func(key string) {
		switch {
		case key == "format" && r.Kind() == jsonlite.String:
			format = clone(r)
		case key == "version" && r.Kind() == jsonlite.Number:
			version = r.Int64()
		}
	})
	if err := r.End(); err != nil {
		return fault.As(fault.Of(err), &manifestError{err})
	}
	if format != Format {
		return fault.New(fault.Input, "pack: pack.json is of format "+quote(format)+", not "+quote(Format)+": check the address, or make a pack with vantage model pack")
	}
	if version != Version {
		return fault.New(fault.Version, "pack: version "+strconv.FormatInt(version, 10)+", this program reads version "+strconv.Itoa(Version)+
			": update the older of the two, or make the pack again with vantage model pack")
	}
	return nil
}

// read reads the manifest's keys.
func (m *Manifest) read(r *jsonlite.Reader) {
	object(r, func(key string) {
		switch key {
		case "format":
			m.Format = clone(r)
		case "version":
			m.Version = number(r, key)
		case "kind":
			m.Kind = clone(r)
		case "id":
			m.ID = clone(r)
		case "revision":
			m.Revision = clone(r)
		case "source":
			object(r, func(key string) {
				switch key {
				case "id":
					m.Source.ID = clone(r)
				case "revision":
					m.Source.Revision = clone(r)
				}
			})
		case "license":
			m.License = clone(r)
		case "language":
			m.Language = clone(r)
		case "config":
			m.Config.read(r)
		case "prompts":
			m.Prompts = map[string]string{}
			object(r, func(role string) {
				role = strings.Clone(role)
				if m.Prompts[role] = clone(r); len(m.Prompts) > maxEntries {
					tooMany(r, key)
				}
			})
		case "default_prompt":
			m.DefaultPrompt = clone(r)
		case "tokenizer":
			m.Tokenizer = encode.ReadSettings(r)
		case "numbers":
			m.Numbers = map[string][]float64{}
			entries := 0
			object(r, func(name string) {
				name = strings.Clone(name)
				list := []float64{}
				array(r, func() {
					list = append(list, r.Float64())
					if entries++; entries > maxEntries {
						tooMany(r, key)
					}
				})
				if m.Numbers[name] = list; len(m.Numbers) > maxEntries {
					tooMany(r, key)
				}
			})
		case "texts":
			m.Texts = map[string][]string{}
			entries := 0
			object(r, func(name string) {
				name = strings.Clone(name)
				list := []string{}
				array(r, func() {
					list = append(list, clone(r))
					if entries++; entries > maxEntries {
						tooMany(r, key)
					}
				})
				if m.Texts[name] = list; len(m.Texts) > maxEntries {
					tooMany(r, key)
				}
			})
		case "sections":
			array(r, func() {
				if len(m.Sections) == maxSections {
					tooMany(r, key)
					return
				}
				m.Sections = append(m.Sections, readSection(r))
			})
		}
	})
}

// read reads the configuration.
func (c *Config) read(r *jsonlite.Reader) {
	object(r, func(key string) {
		switch key {
		case "layers":
			c.Layers = number(r, key)
		case "heads":
			c.Heads = number(r, key)
		case "hidden":
			c.Hidden = number(r, key)
		case "intermediate":
			c.Intermediate = number(r, key)
		case "vocabulary":
			c.Vocabulary = number(r, key)
		case "positions":
			c.Positions = number(r, key)
		case "types":
			c.Types = number(r, key)
		case "epsilon":
			c.Epsilon = r.Float64()
		case "activation":
			c.Activation = clone(r)
		case "pooling":
			c.Pooling = clone(r)
		case "normalize":
			c.Normalize = r.Bool()
		case "max_length":
			c.MaxLength = number(r, key)
		case "dense":
			array(r, func() {
				if len(c.Dense) > maxDense {
					tooMany(r, key)
				}
				d := Dense{}
				object(r, func(key string) {
					switch key {
					case "out":
						d.Out = number(r, key)
					case "activation":
						d.Activation = clone(r)
					case "bias":
						d.Bias = r.Bool()
					}
				})
				c.Dense = append(c.Dense, d)
			})
		case "branch":
			b := &Branch{}
			c.Branch = b
			object(r, func(key string) {
				switch key {
				case "from":
					b.From = number(r, key)
				case "layers":
					b.Layers = number(r, key)
				case "dimension":
					b.Dimension = number(r, key)
				}
			})
		case "reader":
			x := &Reader{}
			c.Reader = x
			object(r, func(key string) {
				switch key {
				case "states":
					array(r, func() {
						if len(x.States) > maxStates {
							tooMany(r, key)
						}
						x.States = append(x.States, number(r, key))
					})
				case "width":
					x.Width = number(r, key)
				case "labels":
					x.Labels = readLabels(r)
				}
			})
		case "tokens":
			c.Tokens = readTokens(r)
		case "labels":
			c.Labels = readLabels(r)
		}
	})
}

func readLabels(r *jsonlite.Reader) (labels []string) {
	array(r, func() {
		if len(labels) > maxLabels {
			tooMany(r, "labels")
		}
		labels = append(labels, clone(r))
	})
	return labels
}

const (
	maxSections = 16
	maxFiles    = 4096
	maxTensors  = 8192
)

func readSection(r *jsonlite.Reader) (s Section) {
	object(r, func(key string) {
		switch key {
		case "name":
			s.Name = clone(r)
		case "files":
			array(r, func() {
				if len(s.Files) == maxFiles {
					tooMany(r, key)
				}
				f := File{}
				object(r, func(key string) {
					switch key {
					case "path":
						f.Path = clone(r)
					case "bytes":
						f.Bytes = number(r, key)
					case "sha256":
						f.SHA256 = clone(r)
					}
				})
				s.Files = append(s.Files, f)
			})
		case "tensors":
			array(r, func() {
				if len(s.Tensors) == maxTensors {
					tooMany(r, key)
				}
				t := Tensor{}
				object(r, func(key string) {
					switch key {
					case "name":
						t.Name = clone(r)
					case "shape":
						array(r, func() {
							if len(t.Shape) > 2 {
								tooMany(r, key)
							}
							t.Shape = append(t.Shape, number(r, key))
						})
					case "encoding":
						t.Encoding = Encoding(clone(r))
					case "offset":
						t.Offset = r.Int64()
					}
				})
				s.Tensors = append(s.Tensors, t)
			})
		}
	})
	return s
}

// object calls field for each key of an object, and array element for each element
// of an array. A callback makes for a smaller module than a range loop.
func object(r *jsonlite.Reader, field func(key string)) {
	r.UniqueObject()(func(key string) bool {
		field(key)
		return r.Err() == nil
	})
}

func array(r *jsonlite.Reader, element func()) {
	r.Array()(func(int) bool {
		element()
		return r.Err() == nil
	})
}

//go:noinline
func tooMany(r *jsonlite.Reader, what string) { r.Fail("too many entries in " + what) }

// number reads a size.
func number(r *jsonlite.Reader, what string) int {
	v := r.Int64()
	if v < 0 || v > 1<<30 {
		r.Fail(what + " is " + strconv.FormatInt(v, 10) + ", not from 0 to " + strconv.Itoa(1<<30))
		return 0
	}
	return int(v)
}

// clone reads a string that outlives the manifest's bytes.
func clone(r *jsonlite.Reader) string {
	s := r.Text()
	if len(s) > maxText {
		r.Fail("a text of " + strconv.Itoa(len(s)) + " bytes, at most " + strconv.Itoa(maxText))
		return ""
	}
	return strings.Clone(s)
}
