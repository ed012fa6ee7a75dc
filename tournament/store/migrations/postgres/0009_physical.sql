-- +goose Up
ALTER TABLE tournaments ADD COLUMN tiles TEXT COLLATE "C" NOT NULL DEFAULT 'digital' CHECK (tiles IN ('digital', 'real'));
ALTER TABLE tables ADD COLUMN tiles TEXT COLLATE "C" NOT NULL DEFAULT '' CHECK (tiles IN ('', 'digital', 'real'));

CREATE TABLE table_devices (
    tournament_id BIGINT NOT NULL REFERENCES tournaments,
    number        BIGINT NOT NULL,
    token_hash    TEXT COLLATE "C" NOT NULL UNIQUE,
    at            BIGINT NOT NULL,
    PRIMARY KEY (tournament_id, number)
);
