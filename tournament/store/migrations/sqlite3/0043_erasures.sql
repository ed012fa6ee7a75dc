-- +goose Up
-- A person can be taken out of what is only appended: of a text that was written about somebody stays [erased], of a name in a record what
-- the player is called instead, and nothing else of such a row can be changed. erased is when a record was.
ALTER TABLE audit ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
-- What was taken out since which the file was not written anew: until then its pages may still hold it.
CREATE TABLE erasures (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL
);
DROP TRIGGER game_events_no_update;
DROP TRIGGER results_no_update;
DROP TRIGGER sanctions_no_update;
DROP TRIGGER sanction_decisions_no_update;
DROP TRIGGER protests_no_update;
DROP TRIGGER protest_decisions_no_update;
DROP TRIGGER audit_no_update;
-- +goose StatementBegin
CREATE TRIGGER game_events_no_update BEFORE UPDATE ON game_events
WHEN NEW.data NOT LIKE '%"reason":"[erased]"%' OR NEW.id <> OLD.id OR NEW.game_id <> OLD.game_id OR NEW.seq <> OLD.seq OR NEW.kind <> OLD.kind
    OR NEW.version <> OLD.version OR NEW.actor <> OLD.actor OR coalesce(NEW.cmd_id, '') <> coalesce(OLD.cmd_id, '') OR NEW.at <> OLD.at
BEGIN SELECT raise(ABORT, 'game_events is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER results_no_update BEFORE UPDATE ON results
WHEN NEW.why <> '[erased]' OR NEW.id <> OLD.id OR NEW.game_id <> OLD.game_id OR NEW.rev <> OLD.rev OR NEW.status <> OLD.status OR NEW.ending <> OLD.ending
    OR NEW.actor <> OLD.actor OR NEW.at <> OLD.at
BEGIN SELECT raise(ABORT, 'results is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sanctions_no_update BEFORE UPDATE ON sanctions
WHEN NEW.reason <> '[erased]' OR NEW.id <> OLD.id OR NEW.tournament_id <> OLD.tournament_id OR coalesce(NEW.player_id, 0) <> coalesce(OLD.player_id, 0)
    OR coalesce(NEW.game_id, 0) <> coalesce(OLD.game_id, 0) OR NEW.round <> OLD.round OR NEW.kind <> OLD.kind OR NEW.points <> OLD.points OR NEW.rule <> OLD.rule
    OR NEW.actor <> OLD.actor OR coalesce(NEW.account_id, 0) <> coalesce(OLD.account_id, 0) OR NEW.at <> OLD.at
    OR NEW.correction <> OLD.correction AND NEW.correction NOT LIKE '%"why":"[erased]"%'
BEGIN SELECT raise(ABORT, 'sanctions is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER sanction_decisions_no_update BEFORE UPDATE ON sanction_decisions
WHEN NEW.why <> '[erased]' OR NEW.id <> OLD.id OR NEW.sanction_id <> OLD.sanction_id OR NEW.decision <> OLD.decision OR NEW.actor <> OLD.actor
    OR coalesce(NEW.account_id, 0) <> coalesce(OLD.account_id, 0) OR NEW.at <> OLD.at OR NEW.withdrew <> OLD.withdrew
BEGIN SELECT raise(ABORT, 'sanction_decisions is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER protests_no_update BEFORE UPDATE ON protests
WHEN NEW.text <> '[erased]' OR NEW.id <> OLD.id OR NEW.game_id <> OLD.game_id OR NEW.rev <> OLD.rev OR NEW.seat <> OLD.seat OR NEW.player_id <> OLD.player_id OR NEW.at <> OLD.at
BEGIN SELECT raise(ABORT, 'protests is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER protest_decisions_no_update BEFORE UPDATE ON protest_decisions
WHEN NEW.reason <> '[erased]' OR NEW.id <> OLD.id OR NEW.protest_id <> OLD.protest_id OR NEW.outcome <> OLD.outcome OR NEW.actor <> OLD.actor OR NEW.at <> OLD.at
BEGIN SELECT raise(ABORT, 'protest_decisions is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
WHEN NEW.erased <= OLD.erased OR NEW.id <> OLD.id OR NEW.at <> OLD.at OR coalesce(NEW.tournament_id, 0) <> coalesce(OLD.tournament_id, 0) OR NEW.actor <> OLD.actor
    OR NEW.action <> OLD.action OR NEW.version <> OLD.version OR NEW.topics <> OLD.topics
BEGIN SELECT raise(ABORT, 'audit is append-only'); END;
-- +goose StatementEnd
