-- +goose Up
-- What an event says of itself, besides its name and place. The days are ISO dates, '' if not set. time_zone is an IANA
-- name, '' for the server's zone. colour is #rrggbb, federation the event's ID at its federation.
ALTER TABLE tournaments ADD COLUMN first_day TEXT NOT NULL DEFAULT '';
ALTER TABLE tournaments ADD COLUMN last_day TEXT NOT NULL DEFAULT '';
ALTER TABLE tournaments ADD COLUMN time_zone TEXT NOT NULL DEFAULT '';
ALTER TABLE tournaments ADD COLUMN organizer TEXT NOT NULL DEFAULT '';
ALTER TABLE tournaments ADD COLUMN colour TEXT NOT NULL DEFAULT '';
ALTER TABLE tournaments ADD COLUMN federation TEXT NOT NULL DEFAULT '';
-- When it was cancelled, and when it was taken off all lists; 0: not.
ALTER TABLE tournaments ADD COLUMN cancelled_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN unlisted_at INTEGER NOT NULL DEFAULT 0;
-- An event's logo: a PNG in base64, and the SHA-256 of the PNG, which is part of its address.
CREATE TABLE logos (
    tournament_id INTEGER PRIMARY KEY REFERENCES tournaments,
    picture       TEXT NOT NULL,
    sha256        TEXT NOT NULL
);
-- Rule sets that organizers have saved from an event, with the same rules for names as formats.
CREATE TABLE rule_presets (
    id              INTEGER PRIMARY KEY,
    name            TEXT NOT NULL,
    name_key        TEXT NOT NULL UNIQUE,
    rules           TEXT NOT NULL,
    actor           TEXT NOT NULL,
    changed_at      INTEGER NOT NULL,
    organization_id INTEGER NOT NULL DEFAULT 0
);
