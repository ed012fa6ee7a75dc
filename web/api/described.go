package api

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"meldhall/templates/public"
	"meldhall/web/request"
)

// described returns the content of the page that explains the document: the operations by role and path, and the types
// by name.
func described(doc *huma.OpenAPI) public.APIView {
	v := public.APIView{Base: request.APIBase, Document: request.APIBase + "/openapi.json",
		About: doc.Info.Description}
	schemas := doc.Components.Schemas
	groups := map[string]int{}
	for _, role := range []string{"Public", "Player", "Referee", "Organizer"} {
		tag := strings.ToLower(role)
		groups[tag] = len(v.Groups)
		v.Groups = append(v.Groups, public.APIGroup{Role: tag, Title: role})
	}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		item := doc.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete} {
			if op != nil {
				group := &v.Groups[groups[op.Tags[0]]]
				group.Operations = append(group.Operations, operationOf(op))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schemas.Map())) {
		s := schemas.Map()[name]
		v.Types = append(v.Types, public.APIType{Name: name, About: s.Description, Members: membersOf(s)})
	}
	return v
}

func operationOf(op *huma.Operation) public.APIOperation {
	one := public.APIOperation{ID: op.OperationID, Method: op.Method, Path: op.Path, Summary: op.Summary,
		About: op.Description}
	for _, p := range op.Parameters {
		one.Parameters = append(one.Parameters, public.APIField{Name: p.Name + " (" + p.In + ")",
			Kind: kindOf(p.Schema), Required: p.Required, About: cmp.Or(p.Description, descriptionOf(p.Schema))})
	}
	if op.RequestBody != nil {
		one.Body = contentOf(op.RequestBody.Content)
	}
	if ok := op.Responses["200"]; ok != nil {
		one.Answer = contentOf(ok.Content)
	}
	return one
}

// contentOf describes a body by its JSON schema, or else by its media types.
func contentOf(content map[string]*huma.MediaType) public.APIKind {
	if media := content[request.JSONKind]; media != nil {
		return kindOf(media.Schema)
	}
	return public.APIKind{Text: strings.Join(slices.Sorted(maps.Keys(content)), ", ")}
}

func membersOf(s *huma.Schema) (fields []public.APIField) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		fields = append(fields, public.APIField{Name: name, Kind: kindOf(p),
			Required: slices.Contains(s.Required, name), About: p.Description})
	}
	return fields
}

func descriptionOf(s *huma.Schema) string {
	if s == nil {
		return ""
	}
	return s.Description
}

// kindOf describes a value by its type, such as "list of integer" or "one of draft, running".
func kindOf(s *huma.Schema) public.APIKind {
	switch {
	case s == nil:
		return public.APIKind{}
	case s.Ref != "":
		name := s.Ref[strings.LastIndex(s.Ref, "/")+1:]
		return public.APIKind{Text: name, Type: name}
	case s.Type == huma.TypeArray:
		each := kindOf(s.Items)
		return public.APIKind{Text: "list of " + cmp.Or(each.Text, "any"), Type: each.Type}
	case len(s.Enum) > 0:
		names := make([]string, len(s.Enum))
		for i, one := range s.Enum {
			names[i] = fmt.Sprint(one)
		}
		return public.APIKind{Text: "one of " + strings.Join(names, ", ")}
	case s.Type == huma.TypeObject:
		if each, ok := s.AdditionalProperties.(*huma.Schema); ok {
			kind := kindOf(each)
			return public.APIKind{Text: "map of " + cmp.Or(kind.Text, "any"), Type: kind.Type}
		}
	case len(s.AnyOf) > 0:
		var names []string
		for _, one := range s.AnyOf {
			names = append(names, kindOf(one).Text)
		}
		return public.APIKind{Text: strings.Join(names, " or ")}
	}
	return public.APIKind{Text: cmp.Or(strings.TrimSpace(s.Type+" "+s.Format), "any")}
}
