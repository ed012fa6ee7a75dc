-- +goose Up
-- A practice table is a tournament of its own: how strong its bots are, as the pages name it; '' is an event.
ALTER TABLE tournaments ADD COLUMN practice TEXT NOT NULL DEFAULT '';
CREATE INDEX tournaments_practice ON tournaments (status) WHERE practice <> '';
