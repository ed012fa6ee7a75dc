-- +goose Up
ALTER TABLE rounds ADD COLUMN report TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE rounds ADD COLUMN plan TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE rounds ADD COLUMN note TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE rounds ADD COLUMN draws BIGINT NOT NULL DEFAULT 1;
ALTER TABLE rounds ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rounds ADD COLUMN checked_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rounds ADD COLUMN checked_by TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE rounds ADD COLUMN duplicate BIGINT NOT NULL DEFAULT 0;

CREATE TABLE round_deals (
    round_id BIGINT NOT NULL REFERENCES rounds ON DELETE CASCADE,
    number   BIGINT NOT NULL,
    deal     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (round_id, number)
);

CREATE TABLE seed_promises (
    tournament_id BIGINT NOT NULL REFERENCES tournaments,
    round         BIGINT NOT NULL,
    seed          BIGINT NOT NULL,
    salt          TEXT COLLATE "C" NOT NULL,
    hash          TEXT COLLATE "C" NOT NULL,
    actor         TEXT COLLATE "C" NOT NULL,
    at            BIGINT NOT NULL,
    PRIMARY KEY (tournament_id, round)
);

CREATE TABLE keep_apart (
    tournament_id BIGINT NOT NULL REFERENCES tournaments,
    a             BIGINT NOT NULL REFERENCES players,
    b             BIGINT NOT NULL REFERENCES players,
    PRIMARY KEY (tournament_id, a, b)
);
