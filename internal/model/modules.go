package model

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vantage-search/vantage/internal/model/tokenizer"
)

// recipe says how the transformer's token vectors become the vector of a text.
type recipe struct {
	dir        string // folder of the transformer
	poolings   []Pooling
	skipPrompt bool   // a prompt's tokens do not count in the pooling
	instructor bool   // join texts to prompts as the package InstructorEmbedding does
	instructed bool   // prompts are INSTRUCTOR's instructions, in its own modules or by the model's name
	steps      []step // modules after the pooling, without a final Normalize
	normalize  bool   // scale the vector to length 1 at the end
	maxLength  int    // 0 means what the tokenizer and the model say
	lowercase  bool
	prompts    map[string]string
	prompt     string // name of the prompt that applies without a role
	score      string // how vectors are compared; empty if the model does not say
	truncate   int    // truncate_dim: the components that are kept at the end; 0 means all
}

// maxModules is the greatest number of modules of a model.
const maxModules = 64

// moduleFile is an entry of sentence-transformers' modules.json.
type moduleFile struct {
	Path string `json:"path"`
	Type string `json:"type"`
}

// kind is the class of a module without its package. It is empty if the module is not
// one of sentence-transformers'. INSTRUCTOR's own Transformer and Pooling differ from
// theirs in that a prompt never counts and texts are trimmed (see recipe.join).
func (m moduleFile) kind() (kind string, instructor bool) {
	dot := strings.LastIndex(m.Type, ".")
	kind = m.Type[dot+1:]
	if rest, ok := strings.CutPrefix(kind, "INSTRUCTOR"); ok {
		return strings.TrimPrefix(rest, "_"), true
	}
	if dot >= 0 && !strings.HasPrefix(m.Type, "sentence_transformers.") {
		return "", false
	}
	return kind, false
}

// readRecipe reads modules.json and the folders that it names. ok is false if there is
// no modules.json. A classifier has no Pooling.
func readRecipe(dir string, t task) (r *recipe, ok bool, err error) {
	var modules []moduleFile
	if ok, err = readJSON(filepath.Join(dir, "modules.json"), &modules); err != nil || !ok {
		return nil, false, err
	}
	if len(modules) > maxModules {
		return nil, false, fmt.Errorf("%s: modules.json lists %d modules, at most %d are read", dir, len(modules), maxModules)
	}
	r = &recipe{}
	for i, m := range modules {
		at := filepath.Join(dir, filepath.FromSlash(m.Path))
		if m.Path != "" && !filepath.IsLocal(filepath.FromSlash(m.Path)) {
			return nil, false, fmt.Errorf("%s: modules.json names %q, which is not a folder of the model", dir, m.Path)
		}
		kind, instructor := m.kind()
		r.instructor = r.instructor || instructor
		switch {
		case i == 0 && kind == "Transformer":
			err = r.readTransformer(dir, at, t)
		case i == 1 && kind == "Pooling":
			err = r.readPooling(at)
		case i > 1 && kind == "Dense":
			err = r.addStep(readDense(at))
		case i > 1 && kind == "LayerNorm":
			err = r.addStep(readLayerNorm(at))
		case i > 1 && kind == "Normalize":
			err = r.addStep(readNormalize(at))
		case i > 1 && kind == "Dropout": // Dropout has an effect only in training
		default:
			err = refusal(dir, modules, i, kind)
		}
		if err != nil {
			return nil, false, err
		}
	}
	if r.dir == "" || len(r.poolings) == 0 && t != classification {
		return nil, false, fmt.Errorf("%s: modules.json lacks the Transformer or the Pooling: it is incomplete, fetch or save the model again", dir)
	}
	if r.truncate > 0 && t == embedding {
		r.steps = append(r.steps, truncateStep(r.truncate))
	}
	for n := len(r.steps); n > 0 && r.steps[n-1].normalize; n-- { // Options.Normalize can override a final Normalize
		r.steps, r.normalize = r.steps[:n-1], true
	}
	if r.instructor {
		r.skipPrompt, r.instructed = true, true
		for _, p := range r.poolings {
			if p == CLS || p == Last {
				return nil, false, fmt.Errorf("%s: INSTRUCTOR's Pooling %q makes no vector of the text in its own package: use mean pooling", dir, p)
			}
		}
	}
	return r, true, nil
}

func (r *recipe) addStep(s step, err error) error {
	r.steps = append(r.steps, s)
	return err
}

// elsewhere is the remedy for a model that is not supported.
const elsewhere = tokenizer.Elsewhere

// misfits are the unsupported modules of sentence-transformers, with descriptions. Asym
// is an old name of Router.
var misfits = map[string]string{
	"Asym":                 "different modules for queries and documents",
	"BoW":                  "counts of words",
	"CLIPModel":            "a model of pictures and texts",
	"CNN":                  "a convolution over tokens",
	"LSTM":                 "a recurrent network over tokens",
	"Router":               "different modules for queries and documents",
	"WeightedLayerPooling": "a mean over layers",
	"WordEmbeddings":       "a table of words",
	"WordWeights":          "weights of words",
}

// sparse are the modules of models that give a weight to each word of a vocabulary, which no collection holds.
var sparse = []string{"MLMTransformer", "SpladePooling", "SparseAutoEncoder", "CSRSparsity", "SparseStaticEmbedding", "IDF"}

// Remedies for models whose vectors cannot be indexed.
const (
	insteadOfSparse = "choose an encoder of dense vectors; --hybrid ranks by words, too"
	insteadOfTokens = "models with a vector for each token are read in ColBERT's own layout (HF_ColBERT, with artifact.metadata): " +
		"save the model in it, or choose another model"
)

// refusal is the error for module i, which is not supported, or not supported in
// this position.
func refusal(dir string, modules []moduleFile, i int, kind string) error {
	name := modules[i].Type
	is, known := misfits[kind]
	pools := slices.ContainsFunc(modules, func(m moduleFile) bool { return strings.HasSuffix(m.Type, "Pooling") })
	switch {
	case !pools && (strings.HasPrefix(name, "pylate.") || kind == "Dense" || kind == "MultiVectorMask"):
		return fmt.Errorf("%s: module %d of modules.json is of type %q, and there is no Pooling, which is not supported: %s", dir, i, name, insteadOfTokens)
	case slices.Contains(sparse, kind):
		return fmt.Errorf("%s: module %d of modules.json is of type %q, of a model of sparse vectors (SPLADE), which is not supported: %s", dir, i, name, insteadOfSparse)
	case kind == "":
		return fmt.Errorf("%s: module %d of modules.json is of type %q, which is code of the model's own and is not run: %s", dir, i, name, elsewhere)
	case kind == "StaticEmbedding":
		return fmt.Errorf("%s: module %d of modules.json is of type %q, a static model in sentence-transformers' layout: "+
			"save it in Model2Vec's (in Python, model2vec: StaticModel.from_pretrained(NAME).save_pretrained(DIR)) and name that folder", dir, i, name)
	case known:
		return fmt.Errorf("%s: module %d of modules.json is of type %q (%s), which is not supported: %s", dir, i, name, is, elsewhere)
	}
	return fmt.Errorf("%s: module %d of modules.json is of type %q, which is not supported there, only a Transformer, a Pooling, then Dense, LayerNorm, Normalize and Dropout in any order: %s",
		dir, i, name, elsewhere)
}

// transformerFile is a Transformer's own configuration.
type transformerFile struct {
	MaxLength *int   `json:"max_seq_length"`
	Lowercase bool   `json:"do_lower_case"`
	Task      string `json:"transformer_task"`

	// Input and output of the Transformer, by the kind of its input.
	Modalities map[string]struct {
		Method string `json:"method"`
		Output any    `json:"method_output_name"`
	} `json:"modality_config"`
	Output string `json:"module_output_name"`

	// Arguments of the library's loaders, by their names in version 6 and in older ones.
	TokenizerArgs map[string]any `json:"processor_kwargs"`
	OldTokenizer  map[string]any `json:"tokenizer_args"`
	ConfigArgs    map[string]any `json:"config_kwargs"`
	OldConfig     map[string]any `json:"config_args"`
	ModelArgs     map[string]any `json:"model_kwargs"`
	OldModel      map[string]any `json:"model_args"`
	Tokenizer     *string        `json:"tokenizer_name_or_path"`

	Processing     map[string]any `json:"processing_kwargs"`
	Expansion      any            `json:"query_expansion"`
	QueryLength    *int           `json:"query_length"`
	DocumentLength *int           `json:"document_length"`
}

// task is what a Transformer is loaded for.
type task struct {
	name           string
	output, result string // the output that is used: the model's own name for it, and sentence-transformers'
}

var (
	embedding      = task{"feature-extraction", "last_hidden_state", "token_embeddings"}
	classification = task{"sequence-classification", "logits", "scores"} // as sentence-transformers saves a CrossEncoder
)

// check refuses a Transformer whose input or output does not fit the task.
func (s *transformerFile) check(t task) error {
	text, reads := s.Modalities["text"]
	_, chats := s.Modalities["message"]
	what, remedy := "", elsewhere
	switch {
	case s.Task == "fill-mask":
		what, remedy = `transformer_task is "fill-mask", of a model of sparse vectors (SPLADE)`, insteadOfSparse
	case s.Task == classification.name && t != classification:
		what, remedy = fmt.Sprintf("transformer_task is %q, of a classifier or a cross-encoder (it scores pairs of texts, and has no vectors)", s.Task), "choose an encoder"
	case s.Task != "" && s.Task != t.name:
		what = fmt.Sprintf("transformer_task is %q", s.Task)
	case s.Output != "" && s.Output != t.result:
		what = fmt.Sprintf("module_output_name is %q", s.Output)
	case s.Modalities != nil && (!reads || chats || text.Method != "forward" || text.Output != t.output):
		what = "modality_config asks for more than " + t.output + " of texts"
	case len(s.Processing) > 0:
		what = "processing_kwargs has other settings of the tokenizer"
	case or(s.Tokenizer, "") != "":
		what, remedy = fmt.Sprintf("tokenizer_name_or_path names a tokenizer elsewhere (%.80q)", *s.Tokenizer), "save the model with its tokenizer in its own folder"
	case s.foreignArg() != "":
		what, remedy = s.foreignArg()+" changes what the other files of the folder say", "write the setting into the folder's tokenizer_config.json or config.json, and remove it here"
	case s.Expansion != nil:
		what = "query_expansion pads queries"
	case s.QueryLength != nil || s.DocumentLength != nil:
		what = "query_length or document_length cut queries and documents differently"
	default:
		return nil
	}
	return fmt.Errorf("%s, which is not supported: %s", what, remedy)
}

// harmless are arguments that change no vectors, or only how they are rounded.
var harmless = []string{"add_pooling_layer", "attn_implementation", "device_map", "dtype", "low_cpu_mem_usage", "padding_side", "torch_dtype", "trust_remote_code", "use_cache", "use_fast", "use_safetensors"}

// foreignArg names an argument of the library's loaders that is not applied here; "" if there is none.
func (s *transformerFile) foreignArg() string {
	for _, args := range []struct {
		name   string
		values map[string]any
	}{
		{"processor_kwargs", s.TokenizerArgs}, {"tokenizer_args", s.OldTokenizer}, {"config_kwargs", s.ConfigArgs}, {"config_args", s.OldConfig},
		{"model_kwargs", s.ModelArgs}, {"model_args", s.OldModel},
	} {
		for _, key := range slices.Sorted(maps.Keys(args.values)) {
			length := key == "model_max_length" && (args.name == "processor_kwargs" || args.name == "tokenizer_args")
			if args.values[key] != nil && !length && !slices.Contains(harmless, key) {
				return fmt.Sprintf("%s (%.80q)", args.name, key)
			}
		}
	}
	return ""
}

// length is the greatest number of tokens; 0 if the file does not say it. As in the library, the tokenizer's argument counts first.
func (s *transformerFile) length() (int, error) {
	for _, args := range []map[string]any{s.TokenizerArgs, s.OldTokenizer} {
		if value, given := args["model_max_length"]; given && value != nil {
			n, ok := value.(float64)
			if !ok || n < 1 || n != math.Trunc(n) {
				return 0, fmt.Errorf("model_max_length is %v", value)
			}
			return int(min(n, math.MaxInt32)), nil // 1e30 means no limit
		}
	}
	if s.MaxLength != nil && *s.MaxLength < 0 {
		return 0, fmt.Errorf("max_seq_length is %d", *s.MaxLength)
	}
	return or(s.MaxLength, 0), nil
}

// transformerFiles are the names of a Transformer's configuration in all versions.
var transformerFiles = []string{"sentence_bert_config.json", "sentence_roberta_config.json", "sentence_distilbert_config.json", "sentence_camembert_config.json",
	"sentence_albert_config.json", "sentence_xlm-roberta_config.json", "sentence_xlnet_config.json"}

// readTransformerFile reads a Transformer's configuration. path is empty if the folder has none.
func readTransformerFile(dir string) (path string, s transformerFile, err error) {
	for _, name := range transformerFiles {
		path = filepath.Join(dir, name)
		if ok, err := readJSON(path, &s); err != nil || ok {
			return path, s, err
		}
	}
	return "", s, nil
}

// readTransformer reads the greatest length of a text, and the prompts.
func (r *recipe) readTransformer(root, at string, t task) error {
	r.dir = at
	path, s, err := readTransformerFile(at)
	if err != nil {
		return err
	}
	if path != "" {
		if err := s.check(t); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if r.maxLength, err = s.length(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		r.lowercase = s.Lowercase
	}
	return r.readPrompts(root)
}

func (r *recipe) readPrompts(root string) error {
	path := filepath.Join(root, "config_sentence_transformers.json")
	var s struct {
		Prompts map[string]string `json:"prompts"`
		Default *string           `json:"default_prompt_name"`
		Score   *string           `json:"similarity_fn_name"`
		Most    *int              `json:"truncate_dim"`
	}
	if _, err := readJSON(path, &s); err != nil {
		return err
	}
	if r.truncate = or(s.Most, 0); s.Most != nil && r.truncate < 1 {
		return fmt.Errorf("%s: truncate_dim is %d", path, r.truncate)
	}
	r.score = or(s.Score, "")
	r.prompts = map[string]string{}
	for name, text := range s.Prompts {
		if text != "" {
			r.prompts[name] = text
		}
	}
	if r.prompt = or(s.Default, ""); r.prompt != "" {
		if _, ok := s.Prompts[r.prompt]; !ok {
			return fmt.Errorf("%s: default_prompt_name is %q, which is none of its prompts", path, r.prompt)
		}
	}
	return nil
}
