package displayname

import "testing"

func TestInPublic(t *testing.T) {
	for _, row := range []struct {
		way, written, mark, want string
	}{
		{Whole, "Anna Berg", "", "Anna Berg"},
		{Short, "Anna Berg", "", "Anna B."},
		{Short, "Berg, Anna", "", "Anna B."},
		{Short, "María José García López", "", "María L."},
		{Short, "Ångström Örn", "", "Ångström Ö."},
		{Short, "王小明", "", "王."},
		{Short, "Pelé", "", "P."},
		{Short, "Anna Berg", "Rome", "Anna B. (Rome)"},
		{Short, ",", "", ""},
		{Number, "Anna Berg", "Rome", "№\u00a017"},
	} {
		if got := InPublic(Person{Number: 17, Way: row.way, Written: row.written, Mark: row.mark}); got != row.want {
			t.Errorf("%s of %q: got %q, want %q", row.way, row.written, got, row.want)
		}
	}
}
