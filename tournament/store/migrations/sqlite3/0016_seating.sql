-- +goose Up
-- Where a plan has rounds for later: the seats of this round as they were drawn (JSON), before anybody was exchanged by hand.
ALTER TABLE rounds ADD COLUMN planned TEXT NOT NULL DEFAULT '';
-- The round after whose exchanges by hand this one and those after it were planned anew; 0: they were not.
ALTER TABLE rounds ADD COLUMN replanned INTEGER NOT NULL DEFAULT 0;
-- The number that a player drew in the hall, for the number chart; 0: none.
ALTER TABLE players ADD COLUMN drawn INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX players_drawn ON players (tournament_id, drawn) WHERE drawn > 0;
