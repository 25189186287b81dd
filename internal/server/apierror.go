package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"time"
)

// apiError is an error in the form that OpenAI's clients expect.
type apiError struct {
	Status  int           `json:"-"`
	Retry   time.Duration `json:"-"`
	Message string        `json:"message"`
	Type    string        `json:"type"`
	Param   nullable      `json:"param"`
	Code    nullable      `json:"code"`
}

// nullable is a text that is null in JSON if it is empty.
type nullable string

func (n nullable) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(n))
}

func (e *apiError) Error() string { return e.Message }

// Types of errors.
const (
	invalidRequest = "invalid_request_error"
	rateLimit      = "rate_limit_error"
	serverError    = "server_error"
)

func failHTTP(w http.ResponseWriter, e *apiError) {
	retryAfter(w, e)
	writeJSON(w, e.Status, map[string]*apiError{"error": e})
}

func retryAfter(w http.ResponseWriter, e *apiError) {
	if e.Retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(e.Retry.Seconds()))))
	}
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	b, err := json.Marshal(value)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"error":{"message":"an error of the server","type":"server_error","param":null,"code":null}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(append(b, '\n'))
}

// wrong returns the error of a bad request.
func wrong(param, format string, args ...any) *apiError {
	return &apiError{Status: http.StatusBadRequest, Message: fmt.Sprintf(format, args...), Type: invalidRequest, Param: nullable(param)}
}

// wrongBody is the error of a body that is not JSON of the right form. It says what the body should be, and names a member
// whose type is wrong.
func wrongBody(err error, otherwise string) *apiError {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && e.Field != "" {
		if kind := kinds[e.Type.Kind()]; kind != "" {
			return wrong(e.Field, "%s (%s has to be %s)", otherwise, e.Field, kind)
		}
	}
	return wrong("", "%s", otherwise)
}

var kinds = map[reflect.Kind]string{reflect.String: "a text", reflect.Int: "a whole number", reflect.Float64: "a number"}
