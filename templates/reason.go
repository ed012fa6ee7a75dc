package templates

import (
	"strconv"

	"meldhall/engine"
)

// reasonMost is the maxlength attribute of every field for a reason.
var reasonMost = strconv.Itoa(engine.ReasonMost)
