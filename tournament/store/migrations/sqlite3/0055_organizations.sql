-- +goose Up
-- Organizations that have this server for their events. What has the organization 0 is the house's, which runs the server. slug is the
-- organization's part of addresses and of its officials' names, for good. events, players (of an event) and streams (of readers) bound it;
-- 0: not. deleting is set while all that an organization has is taken out: nobody sees it any more.
CREATE TABLE organizations (
    id         INTEGER PRIMARY KEY,
    slug       TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,
    welcome    TEXT NOT NULL DEFAULT '',
    contact    TEXT NOT NULL DEFAULT '',
    imprint    TEXT NOT NULL DEFAULT '',
    events     INTEGER NOT NULL DEFAULT 0,
    players    INTEGER NOT NULL DEFAULT 0,
    streams    INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    deleting   INTEGER NOT NULL DEFAULT 0
);
ALTER TABLE tournaments ADD COLUMN organization_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN organization_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE formats ADD COLUMN organization_id INTEGER NOT NULL DEFAULT 0;
-- Of records that belong to no event: whose they are.
ALTER TABLE audit ADD COLUMN organization_id INTEGER NOT NULL DEFAULT 0;
CREATE INDEX tournaments_organization ON tournaments (organization_id) WHERE organization_id <> 0;
-- Who names a player: a player who goes is looked for there.
CREATE INDEX result_lines_player ON result_lines (player_id);
CREATE INDEX signatures_player ON signatures (player_id);

-- What is only appended goes with its organization, and never else.
DROP TRIGGER game_events_no_delete;
DROP TRIGGER results_no_delete;
DROP TRIGGER result_lines_no_delete;
DROP TRIGGER signatures_no_delete;
DROP TRIGGER protests_no_delete;
DROP TRIGGER protest_decisions_no_delete;
DROP TRIGGER lots_no_delete;
DROP TRIGGER sanctions_no_delete;
DROP TRIGGER sanction_decisions_no_delete;
DROP TRIGGER audit_no_delete;
DROP TRIGGER evidence_no_delete;
-- +goose StatementBegin
CREATE TRIGGER game_events_no_delete BEFORE DELETE ON game_events WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id JOIN games g ON g.tournament_id = t.id
    WHERE g.id = OLD.game_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'game_events is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER results_no_delete BEFORE DELETE ON results WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id JOIN games g ON g.tournament_id = t.id
    WHERE g.id = OLD.game_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'results is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER result_lines_no_delete BEFORE DELETE ON result_lines WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id JOIN games g ON g.tournament_id = t.id JOIN results r ON r.game_id = g.id
    WHERE r.id = OLD.result_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'result_lines is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER signatures_no_delete BEFORE DELETE ON signatures WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id JOIN games g ON g.tournament_id = t.id
    WHERE g.id = OLD.game_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'signatures is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER protests_no_delete BEFORE DELETE ON protests WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id JOIN games g ON g.tournament_id = t.id
    WHERE g.id = OLD.game_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'protests is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER protest_decisions_no_delete BEFORE DELETE ON protest_decisions WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id JOIN games g ON g.tournament_id = t.id JOIN protests p ON p.game_id = g.id
    WHERE p.id = OLD.protest_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'protest_decisions is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER lots_no_delete BEFORE DELETE ON lots WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id WHERE t.id = OLD.tournament_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'lots is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sanctions_no_delete BEFORE DELETE ON sanctions WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id WHERE t.id = OLD.tournament_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'sanctions is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sanction_decisions_no_delete BEFORE DELETE ON sanction_decisions WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id JOIN sanctions s ON s.tournament_id = t.id
    WHERE s.id = OLD.sanction_id AND o.deleting <> 0)
BEGIN SELECT raise(ABORT, 'sanction_decisions is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit WHEN NOT EXISTS (SELECT 1 FROM organizations o
    WHERE o.deleting <> 0 AND (o.id = OLD.organization_id OR o.id = (SELECT t.organization_id FROM tournaments t WHERE t.id = OLD.tournament_id)))
BEGIN SELECT raise(ABORT, 'audit is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER evidence_no_delete BEFORE DELETE ON evidence WHEN EXISTS (SELECT 1 FROM game_events WHERE game_id = OLD.game_id)
BEGIN SELECT raise(ABORT, 'evidence is append-only'); END;
-- +goose StatementEnd
