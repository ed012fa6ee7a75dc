-- +goose Up
-- What is said to a whole event until a moment: a JSON object of texts by language.
CREATE TABLE announcements (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    level         TEXT NOT NULL CHECK (level IN ('note', 'urgent')),
    texts         TEXT NOT NULL,
    actor         TEXT NOT NULL,
    at            INTEGER NOT NULL,
    until         INTEGER NOT NULL
);
CREATE INDEX announcements_tournament ON announcements (tournament_id, until);

-- The plan of the day: when each round is to be played, round 0 being a break.
CREATE TABLE slots (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    position      INTEGER NOT NULL,
    round         INTEGER NOT NULL,
    name          TEXT NOT NULL,
    starts_at     INTEGER NOT NULL,
    ends_at       INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, position)
);

-- The copies that were made of this database, and checked.
CREATE TABLE backups (
    id    INTEGER PRIMARY KEY,
    at    INTEGER NOT NULL,
    file  TEXT NOT NULL,
    bytes INTEGER NOT NULL
);

-- A rehearsal is a copy of an event that bots play; it ends by itself, and is no event when it was removed.
ALTER TABLE tournaments ADD COLUMN rehearses INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN rehearsed_by TEXT NOT NULL DEFAULT '';
ALTER TABLE tournaments ADD COLUMN ends_by INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN removed_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tournaments_rehearses ON tournaments (rehearses) WHERE rehearses <> 0;
