-- +goose Up
-- The lives of the database. A copy that is gone on with begins one of its own, by a name that nobody can foretell; a row without a
-- name is in a copy, and says when that was made. copied is the newest time that the file had when a life began; 0: it goes on
-- from none.
CREATE TABLE epochs (
    id     INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,
    began  INTEGER NOT NULL,
    copied INTEGER NOT NULL
);
