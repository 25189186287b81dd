package corpus

import "testing"

// A suggested command reads the corpus as the one before did.
func TestFlags(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{FieldFlags: true}, ""},
		{Options{IDField: "nr", TitleField: "Main head", TextField: "body"}, " --id-field=nr --title-field='Main head' --text-field=body"},
		{Options{Columns: map[string]string{"title": "Head", "text": "Body"}, Delimiter: "-", Quote: "none", Charset: "windows-1252", Base: "docs"},
			" --columns=text=Body,title=Head --delimiter=- --quote=none --base=docs --charset=windows-1252"},
		{Options{Columns: map[string]string{"text": "a, b"}, Delimiter: ";"}, ` --columns='"text=a, b"' --delimiter=';'`},
	} {
		if got := c.o.Flags(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
