package part

import (
	"fmt"
	"strconv"

	"github.com/a-h/templ"

	"meldhall/engine"
)

// ReasonMost is the maxlength attribute of every field for a reason.
var ReasonMost = strconv.Itoa(engine.ReasonMost)

// FormField is a hidden field of a form.
type FormField struct{ Name, Value string }

// Sends returns the hidden fields of a form for ActionPath: back, the page to continue at, and the action's own fields
// as names and values. If the form is on another page, a field with the name "from" must hold that page's address.
func Sends(back templ.SafeURL, nameValues ...any) []FormField {
	fields := []FormField{{"back", string(back)}}
	for i := 0; i+1 < len(nameValues); i += 2 {
		fields = append(fields, FormField{fmt.Sprint(nameValues[i]), fmt.Sprint(nameValues[i+1])})
	}
	return fields
}
