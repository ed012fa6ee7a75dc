-- +goose Up
-- What is known of a turn besides its events: how the player moved tiles, what was refused, and the device's
-- connection. It is evidence for officials and decides nothing; the last second before a crash may be missing.
CREATE TABLE evidence (
    id      INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games,
    turn    INTEGER NOT NULL, -- the log's number of the turn that ran, or that the command was for
    seat    INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    data    TEXT NOT NULL
);
CREATE INDEX evidence_game ON evidence (game_id, turn);

-- A player's protest against the count of a game or a ruling in it, made at a revision of the result.
CREATE TABLE protests (
    id        INTEGER PRIMARY KEY,
    game_id   INTEGER NOT NULL REFERENCES games,
    rev       INTEGER NOT NULL,
    seat      INTEGER NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players,
    text      TEXT NOT NULL,
    at        INTEGER NOT NULL,
    FOREIGN KEY (game_id, rev) REFERENCES results (game_id, rev)
);
CREATE INDEX protests_game ON protests (game_id);

CREATE TABLE protest_decisions (
    id         INTEGER PRIMARY KEY,
    protest_id INTEGER NOT NULL UNIQUE REFERENCES protests,
    outcome    TEXT NOT NULL CHECK (outcome IN ('rejected', 'upheld')),
    reason     TEXT NOT NULL,
    actor      TEXT NOT NULL,
    at         INTEGER NOT NULL
);
-- +goose StatementBegin
CREATE TRIGGER evidence_no_update BEFORE UPDATE ON evidence BEGIN SELECT raise(ABORT, 'evidence is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER evidence_no_delete BEFORE DELETE ON evidence BEGIN SELECT raise(ABORT, 'evidence is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER protests_no_update BEFORE UPDATE ON protests BEGIN SELECT raise(ABORT, 'protests is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER protests_no_delete BEFORE DELETE ON protests BEGIN SELECT raise(ABORT, 'protests is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER protest_decisions_no_update BEFORE UPDATE ON protest_decisions BEGIN SELECT raise(ABORT, 'protest_decisions is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER protest_decisions_no_delete BEFORE DELETE ON protest_decisions BEGIN SELECT raise(ABORT, 'protest_decisions is append-only'); END;
-- +goose StatementEnd
