-- +goose Up
CREATE TABLE embeddings (
    tournament_id BIGINT PRIMARY KEY REFERENCES tournaments,
    sites         TEXT COLLATE "C" NOT NULL
);
