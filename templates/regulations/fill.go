package regulations

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"text/template/parse"
)

// article renders an article's text: a template over the fields of a rule set, in the syntax of package text/template
// as far as the articles need it. That package itself calls methods by name, which makes the linker keep each exported
// method of each type: the program grows by 10 MB.
type article struct {
	words map[string]func(int) string // functions that write numbers
	names map[string]any              // variables; "$" has all fields
	out   strings.Builder
}

// comparisons are the functions that the articles use besides words.
var comparisons = map[string]any{"eq": true, "ne": true, "gt": true, "and": true, "or": true}

// fill returns the text with its placeholders filled in.
func fill(text string, words map[string]func(int) string, fields map[string]any) (string, error) {
	functions := maps.Clone(comparisons)
	for name := range words {
		functions[name] = true
	}
	trees, err := parse.Parse("article", text, "", "", functions)
	if err != nil {
		return "", err
	}
	if trees["article"] == nil { // an empty text
		return "", nil
	}
	a := article{words: words, names: map[string]any{"$": fields}}
	err = a.walk(trees["article"].Root, fields)
	return a.out.String(), err
}

func (a *article) walk(node parse.Node, dot any) error {
	switch n := node.(type) {
	case *parse.ListNode:
		if n == nil { // no else
			return nil
		}
		for _, child := range n.Nodes {
			if err := a.walk(child, dot); err != nil {
				return err
			}
		}
		return nil
	case *parse.TextNode:
		a.out.Write(n.Text)
		return nil
	case *parse.ActionNode:
		value, err := a.value(n.Pipe, dot)
		fmt.Fprint(&a.out, value)
		return err
	case *parse.IfNode:
		value, err := a.value(n.Pipe, dot)
		if err != nil {
			return err
		}
		if truth(value) {
			return a.walk(n.List, dot)
		}
		return a.walk(n.ElseList, dot)
	case *parse.RangeNode:
		return a.each(n, dot)
	}
	return fmt.Errorf("%s: this cannot be used in an article", node)
}

// each renders the list of a range node once for each element. The node declares variables for index and element.
func (a *article) each(n *parse.RangeNode, dot any) error {
	value, err := a.value(n.Pipe, dot)
	if err != nil {
		return err
	}
	list := reflect.ValueOf(value)
	if list.Kind() != reflect.Slice || len(n.Pipe.Decl) != 2 {
		return fmt.Errorf("%s: want a list, and variables for index and element", n.Pipe)
	}
	for i := range list.Len() {
		element := list.Index(i).Interface()
		a.names[n.Pipe.Decl[0].Ident[0]], a.names[n.Pipe.Decl[1].Ident[0]] = i, element
		if err := a.walk(n.List, element); err != nil {
			return err
		}
	}
	return nil
}

// value returns the value of an argument or of a call.
func (a *article) value(node parse.Node, dot any) (any, error) {
	switch n := node.(type) {
	case *parse.PipeNode:
		if len(n.Cmds) == 1 {
			return a.value(n.Cmds[0], dot)
		}
	case *parse.CommandNode:
		if name, ok := n.Args[0].(*parse.IdentifierNode); ok {
			return a.call(name.Ident, n.Args[1:], dot)
		}
		if len(n.Args) == 1 {
			return a.value(n.Args[0], dot)
		}
	case *parse.FieldNode:
		return field(dot, n.Ident)
	case *parse.VariableNode:
		return field(a.names[n.Ident[0]], n.Ident[1:])
	case *parse.StringNode:
		return n.Text, nil
	case *parse.NumberNode:
		return int(n.Int64), nil
	}
	return nil, fmt.Errorf("%s: this cannot be used in an article", node)
}

func (a *article) call(name string, args []parse.Node, dot any) (any, error) {
	values := make([]any, len(args))
	for i, arg := range args {
		var err error
		if values[i], err = a.value(arg, dot); err != nil {
			return nil, err
		}
	}
	switch write := a.words[name]; {
	case write != nil && len(values) == 1:
		n, ok := values[0].(int)
		if !ok {
			return nil, fmt.Errorf("%s: want a number, got %v", name, values[0])
		}
		return write(n), nil
	case len(values) < 2:
		return nil, fmt.Errorf("%s: too few arguments", name)
	case name == "eq":
		return values[0] == values[1], nil
	case name == "ne":
		return values[0] != values[1], nil
	case name == "gt":
		x, ok := values[0].(int)
		y, too := values[1].(int)
		if !ok || !too {
			return nil, fmt.Errorf("gt: want numbers, got %v", values)
		}
		return x > y, nil
	}
	for _, v := range values {
		if truth(v) == (name == "or") {
			return v, nil
		}
	}
	return values[len(values)-1], nil
}

// field returns the field of a value that a path of names leads to.
func field(value any, path []string) (any, error) {
	for _, name := range path {
		if fields, ok := value.(map[string]any); ok {
			if value, ok = fields[name]; !ok {
				return nil, fmt.Errorf("there is no field %q", name)
			}
			continue
		}
		of := reflect.ValueOf(value)
		if of.Kind() != reflect.Struct || !of.FieldByName(name).IsValid() {
			return nil, fmt.Errorf("there is no field %q", name)
		}
		value = of.FieldByName(name).Interface()
	}
	return value, nil
}

// truth reports whether a condition holds: a value that is neither zero nor empty.
func truth(value any) bool {
	if value == nil {
		return false
	}
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Slice {
		return v.Len() > 0
	}
	return !v.IsZero()
}
