-- +goose Up
-- The folder that a copy is in, '' for the one beside the database.
ALTER TABLE backups ADD COLUMN folder TEXT NOT NULL DEFAULT '';
-- How the program copies by itself, in one row: into which folder besides ('' for none), on another disk than the database or not, every
-- so many minutes (0: not), after each round or not, and how many of these copies are kept.
CREATE TABLE copy_plan (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    folder  TEXT NOT NULL,
    apart   INTEGER NOT NULL,
    minutes INTEGER NOT NULL,
    rounds  INTEGER NOT NULL,
    keep    INTEGER NOT NULL
);
