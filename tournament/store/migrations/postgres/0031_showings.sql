-- +goose Up
CREATE TABLE showings (
    tournament_id BIGINT NOT NULL REFERENCES tournaments,
    part          TEXT COLLATE "C" NOT NULL CHECK (part IN ('pairing', 'tables', 'standings', 'results')),
    how           TEXT COLLATE "C" NOT NULL CHECK (how IN ('public', 'hidden', 'delayed', 'frozen')),
    minutes       BIGINT NOT NULL CHECK (CASE how WHEN 'delayed' THEN minutes > 0 ELSE minutes = 0 END),
    since         BIGINT NOT NULL CHECK (CASE how WHEN 'frozen' THEN since > 0 ELSE since = 0 END),
    was           TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tournament_id, part)
);
