-- +goose Up
-- How the overlays of an event's stream look: their size, position, colours and logo, as JSON.
-- number 0: no table was chosen.
ALTER TABLE featured_tables ADD COLUMN look TEXT NOT NULL DEFAULT '{}';
