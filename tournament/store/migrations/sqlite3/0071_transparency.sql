-- +goose Up
-- The server's key for the logs of all tournaments, in the format of golang.org/x/mod/sumdb/note. It is stored as it
-- is: whoever can read this file can sign. signed counts the checkpoints ever signed.
CREATE TABLE log_keys (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    secret TEXT NOT NULL,
    signed INTEGER NOT NULL DEFAULT 0
);
-- One log for each tournament. A restored copy of the database is a new epoch and starts another log.
CREATE TABLE logs (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    epoch         TEXT NOT NULL,
    origin        TEXT NOT NULL UNIQUE,
    UNIQUE (tournament_id, epoch)
);
-- The leaves. The two unique keys are what keeps several nodes from forking a log or logging a fact twice.
CREATE TABLE log_leaves (
    log_id   INTEGER NOT NULL REFERENCES logs,
    position INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    about    INTEGER NOT NULL,
    seq      INTEGER NOT NULL,
    hash     TEXT NOT NULL,
    PRIMARY KEY (log_id, position),
    UNIQUE (log_id, kind, about, seq)
);
CREATE TABLE log_checkpoints (
    log_id INTEGER NOT NULL REFERENCES logs,
    size   INTEGER NOT NULL,
    note   TEXT NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (log_id, size)
);
CREATE TABLE log_cosignatures (
    log_id  INTEGER NOT NULL REFERENCES logs,
    size    INTEGER NOT NULL,
    witness TEXT NOT NULL,
    line    TEXT NOT NULL,
    PRIMARY KEY (log_id, size, witness)
);
-- A log is only appended, and goes with its organization.
-- +goose StatementBegin
CREATE TRIGGER logs_no_update BEFORE UPDATE ON logs BEGIN SELECT raise(ABORT, 'logs is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER logs_no_delete BEFORE DELETE ON logs WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id WHERE t.id = OLD.tournament_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'logs is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_leaves_no_update BEFORE UPDATE ON log_leaves BEGIN SELECT raise(ABORT, 'log_leaves is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_leaves_no_delete BEFORE DELETE ON log_leaves WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id JOIN logs l ON l.tournament_id = t.id WHERE l.id = OLD.log_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'log_leaves is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_checkpoints_no_update BEFORE UPDATE ON log_checkpoints BEGIN SELECT raise(ABORT, 'log_checkpoints is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER log_checkpoints_no_delete BEFORE DELETE ON log_checkpoints WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id JOIN logs l ON l.tournament_id = t.id WHERE l.id = OLD.log_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'log_checkpoints is append-only'); END;
-- +goose StatementEnd
