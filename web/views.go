package web

// views are the parts of the pages that are drawn without a request: whoever asks is an argument where it matters. They change
// nothing.
type views struct{ *venue }
