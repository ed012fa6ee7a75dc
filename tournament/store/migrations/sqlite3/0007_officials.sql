-- +goose Up
-- Five roles of officials in place of two, a PIN for a ruling on a player's tablet, and accounts that are removed
-- without losing who did what: a removed name stays taken until it is added again. Nothing refers to accounts yet,
-- so the table is simply made anew; the ids, and with them the sessions, stay.
CREATE TABLE accounts_by_role (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL UNIQUE,
    role       TEXT NOT NULL CHECK (role IN ('organizer', 'head_referee', 'referee', 'scorekeeper', 'observer')),
    password   TEXT NOT NULL,
    pin        TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    removed_at INTEGER NOT NULL DEFAULT 0
);
INSERT INTO accounts_by_role (id, name, name_key, role, password, created_at)
    SELECT id, name, name_key, role, password, created_at FROM accounts;
DROP TABLE accounts;
ALTER TABLE accounts_by_role RENAME TO accounts;

-- A device that is signed in: what is known of a session besides whose it is. It goes with the session.
CREATE TABLE devices (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session    TEXT NOT NULL UNIQUE REFERENCES sessions (token) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES accounts,
    agent      TEXT NOT NULL,
    since      INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL
);
CREATE INDEX devices_account ON devices (account_id);

-- A link that signs an official in once.
CREATE TABLE invites (
    id         INTEGER PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES accounts,
    actor      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX invites_account ON invites (account_id);

-- The tables that an official looks after in an event: "1-6, 9".
CREATE TABLE zones (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    account_id    INTEGER NOT NULL REFERENCES accounts,
    tables        TEXT NOT NULL,
    PRIMARY KEY (tournament_id, account_id)
);

-- What counts against a player besides the games: points (in twelfths) off the total, or disqualification. round is the
-- number of the round that was on, 0 before the first. account_id tells two officials apart; NULL: none of the accounts.
CREATE TABLE sanctions (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    player_id     INTEGER NOT NULL REFERENCES players,
    game_id       INTEGER REFERENCES games,
    round         INTEGER NOT NULL,
    kind          TEXT NOT NULL CHECK (kind IN ('points', 'disqualification')),
    points        INTEGER NOT NULL CHECK (CASE kind WHEN 'points' THEN points > 0 ELSE points = 0 END),
    rule          TEXT NOT NULL,
    reason        TEXT NOT NULL,
    actor         TEXT NOT NULL,
    account_id    INTEGER REFERENCES accounts,
    at            INTEGER NOT NULL
);
CREATE INDEX sanctions_tournament ON sanctions (tournament_id, id);

-- What became of a sanction. withdrew tells whether the disqualification took the player out of the rounds to come.
CREATE TABLE sanction_decisions (
    id          INTEGER PRIMARY KEY,
    sanction_id INTEGER NOT NULL REFERENCES sanctions,
    decision    TEXT NOT NULL CHECK (decision IN ('seconded', 'cancelled')),
    actor       TEXT NOT NULL,
    account_id  INTEGER REFERENCES accounts,
    at          INTEGER NOT NULL,
    why         TEXT NOT NULL,
    withdrew    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (sanction_id, decision)
);

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
