-- +goose Up
ALTER TABLE players ADD COLUMN extra_seconds BIGINT NOT NULL DEFAULT 0;
