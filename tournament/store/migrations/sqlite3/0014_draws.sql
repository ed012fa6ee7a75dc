-- +goose Up
-- What a round was drawn of and what is to be said of it: report and plan (the rounds of the stage that a plan has for
-- later) are JSON. changes counts what the organizer changed by hand. A draft is checked when an organizer said so
-- after the last change.
ALTER TABLE rounds ADD COLUMN report TEXT NOT NULL DEFAULT '';
ALTER TABLE rounds ADD COLUMN plan TEXT NOT NULL DEFAULT '';
ALTER TABLE rounds ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE rounds ADD COLUMN draws INTEGER NOT NULL DEFAULT 1;
ALTER TABLE rounds ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rounds ADD COLUMN checked_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rounds ADD COLUMN checked_by TEXT NOT NULL DEFAULT '';
-- All tables of a duplicate round get the same deal in each of its games.
ALTER TABLE rounds ADD COLUMN duplicate INTEGER NOT NULL DEFAULT 0;

CREATE TABLE round_deals (
    round_id INTEGER NOT NULL REFERENCES rounds ON DELETE CASCADE,
    number   INTEGER NOT NULL,
    deal     TEXT NOT NULL,
    PRIMARY KEY (round_id, number)
);

-- The seed of a round that is not drawn yet, promised by a hash that everybody may see before.
CREATE TABLE seed_promises (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    round         INTEGER NOT NULL,
    seed          INTEGER NOT NULL,
    salt          TEXT NOT NULL,
    hash          TEXT NOT NULL,
    actor         TEXT NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, round)
);

-- Players who are not to meet, as far as it can be.
CREATE TABLE keep_apart (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    a             INTEGER NOT NULL REFERENCES players,
    b             INTEGER NOT NULL REFERENCES players,
    PRIMARY KEY (tournament_id, a, b)
);
