-- +goose Up
-- A screen that staff have put at a table, known by the token in its cookie.
CREATE TABLE displays (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    token_hash    TEXT NOT NULL UNIQUE,
    number        INTEGER NOT NULL,
    settings      TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    seen_at       INTEGER NOT NULL
);
CREATE INDEX displays_tournament ON displays (tournament_id, number);
