-- +goose Up
ALTER TABLE seed_promises ADD COLUMN method TEXT COLLATE "C" NOT NULL DEFAULT '';
