package web

import (
	"context"

	"meldhall/tournament"
)

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
	operation(a, forReferee, "GET /tournaments/{id}/zones", "Who looks after which tables", a.apiZones)
	operation(a, forReferee, "POST /tournaments/{id}/zones", "Give an official tables to look after; for organizers and head referees", a.apiZoneSet)
}

func zoneView(z tournament.Zone) ZoneView {
	view := ZoneView{z.Account, z.Name, string(z.Role), z.Tables}
	if view.Tables == nil {
		view.Tables = []int{}
	}
	return view
}

func (a *api) apiZones(ctx context.Context, in *IDPath) (*listOf[ZoneView], error) {
	zones, err := tournament.ZoneList(ctx, a.store, a.staff(requestOf(ctx)), in.ID)
	if err != nil {
		return nil, err
	}
	views := make([]ZoneView, len(zones))
	for i, z := range zones {
		views[i] = zoneView(z)
	}
	return &listOf[ZoneView]{views}, nil
}

func (a *api) apiZoneSet(ctx context.Context, in *idWith[ZoneBody]) (*with[ZoneView], error) {
	zone, err := tournament.Do(ctx, a.desk, a.staff(requestOf(ctx)), tournament.SetZone{Tournament: in.ID, Account: in.Body.Account, Tables: in.Body.Tables})
	return answer(zoneView(zone), err)
}
