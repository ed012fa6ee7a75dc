-- +goose Up
CREATE TABLE trainings (
    tournament_id BIGINT PRIMARY KEY REFERENCES tournaments,
    account       BIGINT NOT NULL
);
