-- +goose Up
-- How a player is called in public: by the whole name, a short one, or the start number alone.
ALTER TABLE players ADD COLUMN public TEXT NOT NULL DEFAULT 'whole' CHECK (public IN ('whole', 'short', 'number'));
