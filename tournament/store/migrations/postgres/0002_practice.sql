-- +goose Up
ALTER TABLE tournaments ADD COLUMN practice TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX tournaments_practice ON tournaments (status) WHERE practice <> '';
