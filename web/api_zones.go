package web

import "meldhall/tournament"

// ZoneBody gives an official tables to look after.
type ZoneBody struct {
	Account int64  `json:"account" minimum:"1"`
	Tables  string `json:"tables" maxLength:"500" doc:"as people write them, 1-6, 9; empty: the whole hall"`
}

// ZoneView is an official with the tables to look after.
type ZoneView struct {
	Account int64  `json:"account"`
	Name    string `json:"name"`
	Role    string `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`
	Tables  []int  `json:"tables" doc:"by number; none: the whole hall"`
}

func (a *api) zoneOperations() {
	lists(a, forReferee, "GET /tournaments/{id}/zones", "Who looks after which tables", tournament.ZoneList, zoneView)
	gives(a, forReferee, "POST /tournaments/{id}/zones", "Give an official tables to look after; for organizers and head referees", func(in *idWith[ZoneBody]) tournament.ActionOf[tournament.Zone] {
		return tournament.SetZone{Tournament: in.ID, Account: in.Body.Account, Tables: in.Body.Tables}
	}, zoneView)
}

func zoneView(z tournament.Zone) ZoneView {
	view := ZoneView{z.Account, z.Name, string(z.Role), z.Tables}
	if view.Tables == nil {
		view.Tables = []int{}
	}
	return view
}
