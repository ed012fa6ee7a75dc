-- +goose Up
ALTER TABLE players ADD COLUMN public TEXT COLLATE "C" NOT NULL DEFAULT 'whole' CHECK (public IN ('whole', 'short', 'number'));
