-- +goose Up
-- All times are milliseconds since the Unix epoch. Points and wins are twelfths.

CREATE TABLE accounts (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL UNIQUE,
    role       TEXT NOT NULL CHECK (role IN ('organizer', 'referee')),
    password   TEXT NOT NULL,
    created_at INTEGER NOT NULL
);

-- The token that lets the first organizer in while there is no account.
CREATE TABLE setup (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    hash       TEXT NOT NULL,
    created_at INTEGER NOT NULL
);

CREATE TABLE sessions (
    token  TEXT PRIMARY KEY,
    data   BLOB NOT NULL,
    expiry INTEGER NOT NULL
);
CREATE INDEX sessions_expiry ON sessions (expiry);

CREATE TABLE tournaments (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    place      TEXT NOT NULL DEFAULT '',
    status     TEXT NOT NULL CHECK (status IN ('draft', 'running', 'finished')),
    format     TEXT NOT NULL,
    rules      TEXT NOT NULL,
    seed       INTEGER NOT NULL,
    created_at INTEGER NOT NULL
);

CREATE TABLE players (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    number        INTEGER NOT NULL,
    name          TEXT NOT NULL,
    name_key      TEXT NOT NULL,
    country       TEXT NOT NULL,
    country_key   TEXT NOT NULL,
    club          TEXT NOT NULL,
    rating        INTEGER,
    email         TEXT NOT NULL,
    withdrawn     INTEGER NOT NULL DEFAULT 0,
    device_hash   TEXT UNIQUE,
    device_at     INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tournament_id, number),
    UNIQUE (tournament_id, name_key, country_key)
);

CREATE TABLE rounds (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    number        INTEGER NOT NULL,
    stage         INTEGER NOT NULL,
    stage_round   INTEGER NOT NULL,
    games         INTEGER NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('draft', 'published', 'running', 'finished')),
    method        TEXT NOT NULL,
    seed          INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    published_at  INTEGER NOT NULL DEFAULT 0,
    started_at    INTEGER NOT NULL DEFAULT 0,
    finished_at   INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tournament_id, number),
    UNIQUE (tournament_id, stage, stage_round)
);

CREATE TABLE tables (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    round_id      INTEGER NOT NULL REFERENCES rounds ON DELETE CASCADE,
    number        INTEGER NOT NULL,
    code          TEXT NOT NULL DEFAULT '',
    code_hash     TEXT UNIQUE,
    UNIQUE (round_id, number)
);

CREATE TABLE seats (
    id           INTEGER PRIMARY KEY,
    round_id     INTEGER NOT NULL REFERENCES rounds ON DELETE CASCADE,
    table_id     INTEGER NOT NULL REFERENCES tables ON DELETE CASCADE,
    seat         INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 3),
    player_id    INTEGER NOT NULL REFERENCES players,
    code         TEXT NOT NULL DEFAULT '',
    code_hash    TEXT UNIQUE,
    code_expires INTEGER NOT NULL DEFAULT 0,
    code_used_at INTEGER NOT NULL DEFAULT 0,
    code_reused  INTEGER NOT NULL DEFAULT 0,
    UNIQUE (table_id, seat),
    UNIQUE (round_id, player_id)
);
CREATE INDEX seats_player ON seats (player_id);

CREATE TABLE games (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    table_id      INTEGER NOT NULL REFERENCES tables,
    number        INTEGER NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('waiting', 'running', 'finished')),
    started_at    INTEGER NOT NULL DEFAULT 0,
    finished_at   INTEGER NOT NULL DEFAULT 0,
    UNIQUE (table_id, number)
);
CREATE INDEX games_status ON games (status);

CREATE TABLE game_events (
    id      INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games,
    seq     INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    version INTEGER NOT NULL,
    data    TEXT NOT NULL,
    actor   TEXT NOT NULL,
    cmd_id  TEXT,
    at      INTEGER NOT NULL,
    UNIQUE (game_id, seq)
);
-- The first 16 letters are the key of the command and who gave it, the rest a fingerprint of the command: the
-- same key with another command must not be taken either.
CREATE UNIQUE INDEX game_events_cmd ON game_events (game_id, substr(cmd_id, 1, 16)) WHERE cmd_id IS NOT NULL;

-- A result is a revision; the highest one of a game counts.
CREATE TABLE results (
    id      INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games,
    rev     INTEGER NOT NULL,
    status  TEXT NOT NULL CHECK (status IN ('provisional', 'confirmed')),
    ending  TEXT NOT NULL,
    actor   TEXT NOT NULL,
    why     TEXT NOT NULL,
    at      INTEGER NOT NULL,
    UNIQUE (game_id, rev)
);

CREATE TABLE result_lines (
    id        INTEGER PRIMARY KEY,
    result_id INTEGER NOT NULL REFERENCES results,
    seat      INTEGER NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players,
    points    INTEGER NOT NULL,
    wins      INTEGER NOT NULL,
    charge    INTEGER NOT NULL,
    reason    TEXT NOT NULL,
    tiles     TEXT NOT NULL,
    opened    INTEGER NOT NULL,
    UNIQUE (result_id, seat)
);

-- A lot drawn among players who tie at a cut: players as they tied, drawn as they came out.
CREATE TABLE lots (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    stage         INTEGER NOT NULL,
    players       TEXT NOT NULL,
    drawn         TEXT NOT NULL,
    seed          INTEGER NOT NULL,
    actor         TEXT NOT NULL,
    at            INTEGER NOT NULL
);
CREATE INDEX lots_stage ON lots (tournament_id, stage);

CREATE TABLE audit (
    id            INTEGER PRIMARY KEY,
    at            INTEGER NOT NULL,
    tournament_id INTEGER,
    actor         TEXT NOT NULL,
    action        TEXT NOT NULL,
    subject       TEXT NOT NULL,
    before        TEXT NOT NULL,
    after         TEXT NOT NULL,
    why           TEXT NOT NULL
);
CREATE INDEX audit_tournament ON audit (tournament_id, id);

CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
);

-- +goose StatementBegin
CREATE TRIGGER game_events_no_update BEFORE UPDATE ON game_events BEGIN SELECT raise(ABORT, 'game_events is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER game_events_no_delete BEFORE DELETE ON game_events BEGIN SELECT raise(ABORT, 'game_events is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER results_no_update BEFORE UPDATE ON results BEGIN SELECT raise(ABORT, 'results is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER results_no_delete BEFORE DELETE ON results BEGIN SELECT raise(ABORT, 'results is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER result_lines_no_update BEFORE UPDATE ON result_lines BEGIN SELECT raise(ABORT, 'result_lines is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER result_lines_no_delete BEFORE DELETE ON result_lines BEGIN SELECT raise(ABORT, 'result_lines is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER lots_no_update BEFORE UPDATE ON lots BEGIN SELECT raise(ABORT, 'lots is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER lots_no_delete BEFORE DELETE ON lots BEGIN SELECT raise(ABORT, 'lots is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'audit is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'audit is append-only'); END;
-- +goose StatementEnd
