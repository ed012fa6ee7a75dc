package tournament

// errorTexts are the English texts of the errors, by key; {{.name}} is the argument of that name.
var errorTexts = map[string]string{}
