-- +goose Up
-- How the round is to be drawn whose seed is promised, where that is promised too; empty: as it would be anyway.
ALTER TABLE seed_promises ADD COLUMN method TEXT NOT NULL DEFAULT '';
