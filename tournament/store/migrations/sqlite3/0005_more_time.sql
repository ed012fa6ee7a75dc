-- +goose Up
ALTER TABLE players ADD COLUMN extra_seconds INTEGER NOT NULL DEFAULT 0;
