-- +goose Up
-- What an event is played with, and what one of its tables is, '' being the event's.
ALTER TABLE tournaments ADD COLUMN tiles TEXT NOT NULL DEFAULT 'digital' CHECK (tiles IN ('digital', 'real'));
ALTER TABLE tables ADD COLUMN tiles TEXT NOT NULL DEFAULT '' CHECK (tiles IN ('', 'digital', 'real'));

-- The one device that serves all seats of a table with real tiles, by the table's number in whatever round.
CREATE TABLE table_devices (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    number        INTEGER NOT NULL,
    token_hash    TEXT NOT NULL UNIQUE,
    at            INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, number)
);
