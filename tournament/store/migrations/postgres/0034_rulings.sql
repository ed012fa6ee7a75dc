-- +goose Up
ALTER TABLE tournaments ADD COLUMN rule_changes TEXT COLLATE "C" NOT NULL DEFAULT '';
