-- +goose Up
-- A correction of a confirmed result waits for a second official as a disqualification does: it stands among the sanctions, of no
-- player, with what is to be entered. second_over is by how many points somebody's game may change before it waits; 0: it never does.
ALTER TABLE tournaments ADD COLUMN second_over INTEGER NOT NULL DEFAULT 0;

CREATE TABLE sanctions_or_corrections (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    player_id     INTEGER REFERENCES players,
    game_id       INTEGER REFERENCES games,
    round         INTEGER NOT NULL,
    kind          TEXT NOT NULL CHECK (kind IN ('points', 'disqualification', 'correction')),
    points        INTEGER NOT NULL CHECK (CASE kind WHEN 'points' THEN points > 0 ELSE points = 0 END),
    rule          TEXT NOT NULL,
    reason        TEXT NOT NULL,
    actor         TEXT NOT NULL,
    account_id    INTEGER REFERENCES accounts,
    at            INTEGER NOT NULL,
    correction    TEXT NOT NULL DEFAULT '',
    CHECK (CASE kind WHEN 'correction' THEN player_id IS NULL AND game_id IS NOT NULL AND correction <> '' ELSE player_id IS NOT NULL AND correction = '' END)
);
INSERT INTO sanctions_or_corrections (id, tournament_id, player_id, game_id, round, kind, points, rule, reason, actor, account_id, at)
    SELECT id, tournament_id, player_id, game_id, round, kind, points, rule, reason, actor, account_id, at FROM sanctions;
CREATE TABLE decisions_of_sanctions (
    id          INTEGER PRIMARY KEY,
    sanction_id INTEGER NOT NULL REFERENCES sanctions_or_corrections,
    decision    TEXT NOT NULL CHECK (decision IN ('seconded', 'cancelled')),
    actor       TEXT NOT NULL,
    account_id  INTEGER REFERENCES accounts,
    at          INTEGER NOT NULL,
    why         TEXT NOT NULL,
    withdrew    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (sanction_id, decision)
);
INSERT INTO decisions_of_sanctions SELECT id, sanction_id, decision, actor, account_id, at, why, withdrew FROM sanction_decisions;
DROP TABLE sanction_decisions;
DROP TABLE sanctions;
ALTER TABLE sanctions_or_corrections RENAME TO sanctions;
ALTER TABLE decisions_of_sanctions RENAME TO sanction_decisions;
CREATE INDEX sanctions_tournament ON sanctions (tournament_id, id);

-- +goose StatementBegin
CREATE TRIGGER sanctions_no_update BEFORE UPDATE ON sanctions BEGIN SELECT raise(ABORT, 'sanctions is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sanctions_no_delete BEFORE DELETE ON sanctions BEGIN SELECT raise(ABORT, 'sanctions is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sanction_decisions_no_update BEFORE UPDATE ON sanction_decisions BEGIN SELECT raise(ABORT, 'sanction_decisions is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sanction_decisions_no_delete BEFORE DELETE ON sanction_decisions BEGIN SELECT raise(ABORT, 'sanction_decisions is append-only'); END;
-- +goose StatementEnd
