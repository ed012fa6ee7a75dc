-- +goose Up
-- The codes of the tables and seats that a change took away: the cards with them still lie there when it is taken back.
ALTER TABLE people_changes ADD COLUMN codes TEXT NOT NULL DEFAULT '{}';
