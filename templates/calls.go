package templates

import "meldhall/engine"

// call is a seat's call for the referee, the zero one when it does not call. The public's view has none.
func (g Game) call(seat int) engine.Call {
	for _, c := range g.View.Calls {
		if c.Seat == seat {
			return c.Call
		}
	}
	return engine.Call{}
}

// called tells whether the viewer calls the referee.
func (g Game) called() bool { return g.call(g.View.Seat).Open() }

// calls tells whether a seat calls the referee.
func (g Game) calls(seat int) bool { return g.call(seat).Open() }
