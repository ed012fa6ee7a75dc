-- +goose Up
ALTER TABLE tournaments DROP COLUMN seed;

ALTER TABLE rounds ADD COLUMN sealed BIGINT NOT NULL DEFAULT 0;
UPDATE rounds SET sealed = 1 WHERE EXISTS (SELECT 1 FROM rounds l JOIN tournaments t ON t.id = l.tournament_id
    WHERE l.tournament_id = rounds.tournament_id AND l.stage = rounds.stage AND l.seed = rounds.seed AND l.plan <> '' AND l.method <> 'script'
        AND t.status <> 'finished' AND NOT EXISTS (SELECT 1 FROM rounds n WHERE n.tournament_id = l.tournament_id AND n.number > l.number));

CREATE TABLE promises_of_draws (
    tournament_id BIGINT NOT NULL REFERENCES tournaments,
    round         BIGINT NOT NULL,
    lot           BIGINT NOT NULL DEFAULT 0,
    method        TEXT COLLATE "C" NOT NULL DEFAULT '',
    seed          BIGINT NOT NULL,
    salt          TEXT COLLATE "C" NOT NULL,
    hash          TEXT COLLATE "C" NOT NULL,
    actor         TEXT COLLATE "C" NOT NULL,
    at            BIGINT NOT NULL,
    PRIMARY KEY (tournament_id, round, lot)
);
INSERT INTO promises_of_draws (tournament_id, round, method, seed, salt, hash, actor, at)
    SELECT tournament_id, round, method, seed, salt, hash, actor, at FROM seed_promises;
DROP TABLE seed_promises;
ALTER TABLE promises_of_draws RENAME TO seed_promises;
