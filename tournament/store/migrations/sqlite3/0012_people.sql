-- +goose Up
-- How people come into an event: by themselves while registration is open, up to a capacity (0: none), then on the waiting
-- list. check_in_open lets players check themselves in by their ticket. Who is not at the table after no_show_minutes is
-- missing; missed_charge are the whole points that a missed game costs.
ALTER TABLE tournaments ADD COLUMN registration_open INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN capacity INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN check_in_open INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN no_show_minutes INTEGER NOT NULL DEFAULT 10;
ALTER TABLE tournaments ADD COLUMN missed_charge INTEGER NOT NULL DEFAULT 0;

-- One state in place of a mark: withdrawn is what follows from it. gone: not at the table any more, so that games that
-- begin in a running round are played without the player. ticket lets the player be checked in.
ALTER TABLE players ADD COLUMN state TEXT NOT NULL DEFAULT 'registered'
    CHECK (state IN ('waiting', 'registered', 'checked_in', 'withdrawn', 'no_show', 'substituted'));
UPDATE players SET state = 'withdrawn' WHERE withdrawn <> 0;
ALTER TABLE players DROP COLUMN withdrawn;
ALTER TABLE players ADD COLUMN withdrawn INTEGER GENERATED ALWAYS AS (state IN ('withdrawn', 'no_show', 'substituted')) VIRTUAL;
ALTER TABLE players ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN fixed_table INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN ticket TEXT;
CREATE UNIQUE INDEX players_ticket ON players (ticket) WHERE ticket IS NOT NULL;

-- Who plays in an entry's place, from a game of a round on; an empty name is the entry's own player again.
CREATE TABLE stand_ins (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    player_id     INTEGER NOT NULL REFERENCES players,
    name          TEXT NOT NULL,
    round         INTEGER NOT NULL,
    game          INTEGER NOT NULL,
    UNIQUE (player_id, round, game)
);
CREATE INDEX stand_ins_tournament ON stand_ins (tournament_id);

-- The result of a round that a player did not play: no games, no wins, and what it costs, in twelfths.
CREATE TABLE missed_rounds (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    player_id     INTEGER NOT NULL REFERENCES players,
    round         INTEGER NOT NULL,
    stage         INTEGER NOT NULL,
    games         INTEGER NOT NULL,
    charge        INTEGER NOT NULL,
    reason        TEXT NOT NULL CHECK (reason IN ('late', 'left', 'no_show')),
    PRIMARY KEY (player_id, round)
);
CREATE INDEX missed_rounds_tournament ON missed_rounds (tournament_id);

-- Tables of the hall that nobody may be seated at.
CREATE TABLE closed_tables (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    number        INTEGER NOT NULL,
    reason        TEXT NOT NULL,
    PRIMARY KEY (tournament_id, number)
);

-- What was changed about people, so that it can be taken back: the parts of the event's picture that it changed, as they
-- were and as it left them. It is taken back only while they are as it left them.
CREATE TABLE people_changes (
    id            INTEGER PRIMARY KEY,
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    kind          TEXT NOT NULL,
    subject       TEXT NOT NULL,
    actor         TEXT NOT NULL,
    at            INTEGER NOT NULL,
    why           TEXT NOT NULL,
    before        TEXT NOT NULL,
    after         TEXT NOT NULL,
    undone_at     INTEGER NOT NULL DEFAULT 0,
    undone_by     TEXT NOT NULL DEFAULT ''
);
CREATE INDEX people_changes_tournament ON people_changes (tournament_id, id);
