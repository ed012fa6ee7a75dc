-- +goose Up
-- An erasure changes a text and the salt that hid it, never the hash of the row.
-- +goose StatementBegin
CREATE TRIGGER game_events_no_update BEFORE UPDATE ON game_events
WHEN NEW.data NOT LIKE '%"reason":"[erased]"%' OR NEW.id <> OLD.id OR NEW.game_id <> OLD.game_id OR NEW.seq <> OLD.seq OR NEW.kind <> OLD.kind
    OR NEW.version <> OLD.version OR NEW.actor <> OLD.actor OR coalesce(NEW.cmd_id, '') <> coalesce(OLD.cmd_id, '') OR NEW.at <> OLD.at OR NEW.chain <> OLD.chain
BEGIN SELECT raise(ABORT, 'game_events is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
WHEN NEW.erased <= OLD.erased OR NEW.id <> OLD.id OR NEW.at <> OLD.at OR coalesce(NEW.tournament_id, 0) <> coalesce(OLD.tournament_id, 0) OR NEW.actor <> OLD.actor
    OR NEW.action <> OLD.action OR NEW.version <> OLD.version OR NEW.topics <> OLD.topics OR NEW.chain <> OLD.chain
BEGIN SELECT raise(ABORT, 'audit is append-only'); END;
-- +goose StatementEnd
