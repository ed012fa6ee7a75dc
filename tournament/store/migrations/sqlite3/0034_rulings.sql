-- +goose Up
-- The rulings that an event goes by other rules from a round on, as JSON; empty: none.
ALTER TABLE tournaments ADD COLUMN rule_changes TEXT NOT NULL DEFAULT '';
