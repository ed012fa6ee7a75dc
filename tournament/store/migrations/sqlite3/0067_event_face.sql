-- +goose Up
-- The chief referee as the public pages name them, '' if not set.
ALTER TABLE tournaments ADD COLUMN referee TEXT NOT NULL DEFAULT '';
-- Photos that the organizer shows of an event, by position: JPEGs without metadata in base64, with their size in pixels
-- and the SHA-256 of the JPEG, which is part of the address.
CREATE TABLE photos (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    position      INTEGER NOT NULL,
    caption       TEXT NOT NULL,
    width         INTEGER NOT NULL,
    height        INTEGER NOT NULL,
    picture       TEXT NOT NULL,
    sha256        TEXT NOT NULL
);
CREATE INDEX photos_by_event ON photos (tournament_id, position);
