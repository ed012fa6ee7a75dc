-- +goose Up
ALTER TABLE rounds ADD COLUMN planned TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE rounds ADD COLUMN replanned BIGINT NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN drawn BIGINT NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX players_drawn ON players (tournament_id, drawn) WHERE drawn > 0;
