-- +goose Up
-- Game logs and records are hash chains: chain is the hash of a row and of the row before it, salt hides the texts that
-- can be erased. games.head is the hash of the last event of a finished game, record_chains that of the last record of
-- each chain.
ALTER TABLE game_events ADD COLUMN salt TEXT NOT NULL DEFAULT '';
ALTER TABLE game_events ADD COLUMN chain TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN salt TEXT NOT NULL DEFAULT '';
ALTER TABLE audit ADD COLUMN chain TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN head TEXT NOT NULL DEFAULT '';
-- One chain for each event. The records without an event have one for each organization, which is 0 for the server's
-- owner. The records of an event that archives leave out have a separate chain, with the organization -1.
CREATE TABLE record_chains (
    tournament_id   INTEGER NOT NULL,
    organization_id INTEGER NOT NULL,
    head            TEXT NOT NULL,
    records         INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, organization_id)
);
-- The last archive of the event that an official exported.
ALTER TABLE tournaments ADD COLUMN archived_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN archive_hash TEXT NOT NULL DEFAULT '';
-- The next migration runs after the existing rows were hashed, and recreates these triggers.
DROP TRIGGER game_events_no_update;
DROP TRIGGER audit_no_update;
-- Rows that were found damaged when the program started.
CREATE TABLE damages (
    id       INTEGER PRIMARY KEY,
    part     TEXT NOT NULL,
    row_id   INTEGER NOT NULL,
    found_at INTEGER NOT NULL,
    UNIQUE (part, row_id)
);
