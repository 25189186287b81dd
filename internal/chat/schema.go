package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Schema is a JSON schema of replies.
type Schema struct {
	name, text string
	document   any
	compiled   *jsonschema.Schema
}

// NewSchema compiles a schema. It is for schemas in the program's source, and panics if
// one is not valid. name has only a–z and _.
func NewSchema(name, text string) *Schema {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		panic(err)
	}
	compiler, address := jsonschema.NewCompiler(), "schema:///"+name // a bare name would be a file in the working directory, which may be gone
	if err := compiler.AddResource(address, document); err != nil {
		panic(err)
	}
	return &Schema{name, text, document, compiler.MustCompile(address)}
}

// check says what is wrong with a reply, for the model.
func (s *Schema) check(reply []byte) error {
	if len(bytes.TrimSpace(reply)) == 0 {
		return errors.New("it is empty")
	}
	if !json.Valid(reply) {
		return errors.New("it is not JSON, or not all of it")
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(reply))
	if err != nil {
		return errors.New("it is not JSON")
	}
	if wrong, ok := errors.AsType[*jsonschema.ValidationError](s.compiled.Validate(value)); ok {
		return errors.New(strings.Join(reasons(nil, wrong), "; "))
	}
	return nil
}

var english = message.NewPrinter(language.English)

// reasons are the innermost causes of an error, with their places in the reply.
func reasons(list []string, wrong *jsonschema.ValidationError) []string {
	if len(wrong.Causes) == 0 {
		return append(list, "at /"+strings.Join(wrong.InstanceLocation, "/")+": "+wrong.ErrorKind.LocalizedString(english))
	}
	for _, cause := range wrong.Causes {
		list = reasons(list, cause)
	}
	return list
}
