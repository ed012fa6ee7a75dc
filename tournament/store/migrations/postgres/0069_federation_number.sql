-- +goose Up
ALTER TABLE players ADD COLUMN federation_number TEXT NOT NULL DEFAULT '';
