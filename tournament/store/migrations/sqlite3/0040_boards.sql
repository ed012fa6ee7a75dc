-- +goose Up
-- A screen of the hall: number 0 stands at no table, and shows the boards that shows names, as fit says how far its readers sit.
ALTER TABLE displays ADD COLUMN shows TEXT NOT NULL DEFAULT '{}';
ALTER TABLE displays ADD COLUMN fit TEXT NOT NULL DEFAULT '{}';
-- Tables whose players are called in the hall, until they have come.
CREATE TABLE table_calls (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    number        INTEGER NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, number)
);
-- The first places of an event as the organizer has revealed them, by hand.
CREATE TABLE reveals (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    place         INTEGER NOT NULL,
    players       TEXT NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, place)
);
-- The table that a stream shows.
CREATE TABLE featured_tables (
    tournament_id INTEGER PRIMARY KEY REFERENCES tournaments,
    number        INTEGER NOT NULL
);
