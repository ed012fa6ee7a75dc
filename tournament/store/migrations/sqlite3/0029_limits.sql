-- +goose Up
-- An official may be limited to events: their numbers, as JSON; NULL: every event. made_by is the official who made the account or gave
-- it a password or an invitation last, 0 for nobody that is known; own_since is when its holder set a password after that, 0: never.
ALTER TABLE accounts ADD COLUMN events TEXT;
ALTER TABLE accounts ADD COLUMN made_by INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN own_since INTEGER NOT NULL DEFAULT 0;
-- Whether referees and scorekeepers rule at the tables of their zones alone.
ALTER TABLE tournaments ADD COLUMN zones_bind INTEGER NOT NULL DEFAULT 0;
