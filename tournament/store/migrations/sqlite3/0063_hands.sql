-- +goose Up
-- How the tablet reads the player's hand, as JSON (tournament.Hand); empty: as usual. Only the seat's devices read it.
ALTER TABLE players ADD COLUMN hand TEXT NOT NULL DEFAULT '';
