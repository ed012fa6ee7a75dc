-- +goose Up
-- How the command that caused an event was signed: the key, the seq that the device had seen, the statement and the
-- signature, see data/record/signature.md. NULL: not signed.
ALTER TABLE game_events ADD COLUMN signed TEXT;
-- The key with which the player's device signs; empty if it has none.
ALTER TABLE players ADD COLUMN device_key TEXT NOT NULL DEFAULT '';
DROP TRIGGER game_events_no_update;
-- +goose StatementBegin
CREATE TRIGGER game_events_no_update BEFORE UPDATE ON game_events
WHEN NEW.data NOT LIKE '%"reason":"[erased]"%' OR NEW.id <> OLD.id OR NEW.game_id <> OLD.game_id OR NEW.seq <> OLD.seq OR NEW.kind <> OLD.kind
    OR NEW.version <> OLD.version OR NEW.actor <> OLD.actor OR coalesce(NEW.cmd_id, '') <> coalesce(OLD.cmd_id, '') OR NEW.at <> OLD.at OR NEW.chain <> OLD.chain
    OR coalesce(NEW.signed, '') <> coalesce(OLD.signed, '')
BEGIN SELECT raise(ABORT, 'game_events is append-only'); END;
-- +goose StatementEnd
