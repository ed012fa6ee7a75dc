-- +goose Up
-- Which sites may show an event's standings and tables in frames of their pages: origins such as https://club.example, with spaces between.
CREATE TABLE embeddings (
    tournament_id INTEGER PRIMARY KEY REFERENCES tournaments,
    sites         TEXT NOT NULL
);
