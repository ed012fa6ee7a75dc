-- +goose Up
-- Whose a training is: the official who rules on its sample disputes.
CREATE TABLE trainings (
    tournament_id INTEGER PRIMARY KEY REFERENCES tournaments,
    account       INTEGER NOT NULL
);
