package paper

import (
	"context"
	"strconv"

	"meldhall/templates/locale"
	"meldhall/templates/pdf"
)

// GoingOn explains how to continue a tournament on paper and how to enter the results later. It is the first page of
// the pack.
type GoingOn struct {
	About
	Turn  int // seconds; 0: no limit
	Joker int
	Order string
}

func (s GoingOn) draw(ctx context.Context, d *pdf.Doc) {
	s.begin(ctx, d, locale.T(ctx, "paper.going_on"), false)
	d.Flow(pdf.Margin, d.Wide(), locale.T(ctx, "paper.going_on_why"), pdf.Style{Size: 12})
	d.Y += 4
	turn := locale.T(ctx, "paper.step_clock", "n", s.Turn)
	if s.Turn == 0 {
		turn = locale.T(ctx, "paper.step_no_clock")
	}
	steps := []string{locale.T(ctx, "paper.step_hang"), locale.T(ctx, "paper.step_tables"), turn,
		locale.T(ctx, "paper.step_count", "n", s.Joker),
		locale.T(ctx, "paper.step_sum", "order", s.Order), locale.T(ctx, "paper.step_enter"),
		locale.T(ctx, "paper.step_next")}
	d.Within(pdf.List, func() {
		for i, step := range steps {
			d.Within(pdf.Item, func() { numbered(d, i+1, step) })
		}
	})
}

// numbered draws a step with its number.
func numbered(d *pdf.Doc, number int, step string) {
	style := pdf.Style{Size: 13}
	d.Room(d.Height(d.Wide()-12, step, style) + 4)
	d.Within(pdf.ItemLabel, func() {
		d.Fill(pdf.Margin, d.Y, 10, 6, strconv.Itoa(number), pdf.Style{Size: 15, Bold: true})
	})
	d.Within(pdf.ItemBody, func() { d.Flow(pdf.Margin+12, d.Wide()-12, step, style) })
	d.Y += 4
}
