-- +goose Up
ALTER TABLE displays ADD COLUMN shows TEXT COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE displays ADD COLUMN fit TEXT COLLATE "C" NOT NULL DEFAULT '{}';
CREATE TABLE table_calls (
    tournament_id BIGINT NOT NULL REFERENCES tournaments,
    number        BIGINT NOT NULL,
    at            BIGINT NOT NULL,
    PRIMARY KEY (tournament_id, number)
);
CREATE TABLE reveals (
    tournament_id BIGINT NOT NULL REFERENCES tournaments,
    place         BIGINT NOT NULL,
    players       TEXT COLLATE "C" NOT NULL,
    at            BIGINT NOT NULL,
    PRIMARY KEY (tournament_id, place)
);
CREATE TABLE featured_tables (
    tournament_id BIGINT PRIMARY KEY REFERENCES tournaments,
    number        BIGINT NOT NULL
);
