-- +goose Up
-- What a record says is kept in fields, as JSON: on what (about), how it was and is (data), and which topics it changed, for other
-- processes. Records of version 0 are of before, in English sentences (subject, before, after), and are shown as they are.
ALTER TABLE audit ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE audit ADD COLUMN about TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN data TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN topics TEXT NOT NULL DEFAULT '';
