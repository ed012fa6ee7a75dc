-- +goose Up
-- What everybody is shown of a part of an event: a part without a row is public. minutes is of how delayed; since, of how frozen, the
-- moment whose state stands. was is the row before the last change, as JSON, by which that is taken back.
CREATE TABLE showings (
    tournament_id INTEGER NOT NULL REFERENCES tournaments,
    part          TEXT NOT NULL CHECK (part IN ('pairing', 'tables', 'standings', 'results')),
    how           TEXT NOT NULL CHECK (how IN ('public', 'hidden', 'delayed', 'frozen')),
    minutes       INTEGER NOT NULL CHECK (CASE how WHEN 'delayed' THEN minutes > 0 ELSE minutes = 0 END),
    since         INTEGER NOT NULL CHECK (CASE how WHEN 'frozen' THEN since > 0 ELSE since = 0 END),
    was           TEXT NOT NULL,
    PRIMARY KEY (tournament_id, part)
) WITHOUT ROWID;
