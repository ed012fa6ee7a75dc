-- +goose Up
-- The player's number in a federation's register, such as an association's member number; empty: none.
ALTER TABLE players ADD COLUMN federation_number TEXT NOT NULL DEFAULT '';
