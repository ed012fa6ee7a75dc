-- +goose Up
-- Every draw has a seed of its own by chance; none follows from one of the event's any more. Rounds and lots keep those that they
-- were drawn with.
ALTER TABLE tournaments DROP COLUMN seed;

-- The seed of a round is sealed while rounds to come are planned with it, and whoever knows it could tell their seats.
ALTER TABLE rounds ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;
UPDATE rounds SET sealed = 1 WHERE EXISTS (SELECT 1 FROM rounds l JOIN tournaments t ON t.id = l.tournament_id
    WHERE l.tournament_id = rounds.tournament_id AND l.stage = rounds.stage AND l.seed = rounds.seed AND l.plan <> '' AND l.method <> 'script'
        AND t.status <> 'finished' AND NOT EXISTS (SELECT 1 FROM rounds n WHERE n.tournament_id = l.tournament_id AND n.number > l.number));

-- The seed of a lot is promised too; lot says of which of the event's, and its round is 0.
CREATE TABLE promises_of_draws (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    round         INTEGER NOT NULL,
    lot           INTEGER NOT NULL DEFAULT 0,
    method        TEXT NOT NULL DEFAULT '',
    seed          INTEGER NOT NULL,
    salt          TEXT NOT NULL,
    hash          TEXT NOT NULL,
    actor         TEXT NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, round, lot)
);
INSERT INTO promises_of_draws (tournament_id, round, method, seed, salt, hash, actor, at)
    SELECT tournament_id, round, method, seed, salt, hash, actor, at FROM seed_promises;
DROP TABLE seed_promises;
ALTER TABLE promises_of_draws RENAME TO seed_promises;
