-- +goose Up
-- A play-off among players who tie: 0 is a round as the format plans it, else which play-off of the stage it is.
ALTER TABLE rounds ADD COLUMN play_off INTEGER NOT NULL DEFAULT 0;
-- Players of a division, such as the juniors, are ranked among themselves as well.
ALTER TABLE players ADD COLUMN division TEXT NOT NULL DEFAULT '';

-- The organizers' own formats, as JSON; an event keeps a copy of the one it was made with.
CREATE TABLE formats (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL UNIQUE,
    format     TEXT NOT NULL,
    actor      TEXT NOT NULL,
    changed_at INTEGER NOT NULL
);

-- Why a player takes no place for what the event qualifies for; who has no row takes one that the standing gives.
CREATE TABLE qualifications (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    player_id     INTEGER NOT NULL REFERENCES players,
    state         TEXT NOT NULL CHECK (state IN ('qualified_already', 'not_eligible', 'declined')),
    why           TEXT NOT NULL,
    actor         TEXT NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, player_id)
);
