-- +goose Up
-- Who came in, who was kept out, and who changed what others may do: the newest of each kind. times counts what came again within a
-- minute, the last time at last.
CREATE TABLE security_log (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    last    INTEGER NOT NULL,
    times   INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    name    TEXT NOT NULL,
    address TEXT NOT NULL,
    what    TEXT NOT NULL,
    about   TEXT NOT NULL
);
CREATE INDEX security_log_kind ON security_log (kind, id);
