-- +goose Up
ALTER TABLE people_changes ADD COLUMN codes TEXT COLLATE "C" NOT NULL DEFAULT '{}';
