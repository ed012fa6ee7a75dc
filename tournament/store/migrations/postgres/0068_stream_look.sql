-- +goose Up
ALTER TABLE featured_tables ADD COLUMN look TEXT COLLATE "C" NOT NULL DEFAULT '{}';
