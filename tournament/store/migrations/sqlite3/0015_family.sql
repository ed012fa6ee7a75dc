-- +goose Up
-- The family that a player is of, as the organizer writes it: draws keep its members apart where they can. For organizers only.
ALTER TABLE players ADD COLUMN family TEXT NOT NULL DEFAULT '';
