-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION game_events_no_update() RETURNS trigger LANGUAGE plpgsql AS $law$
BEGIN
    IF NEW.data NOT ILIKE '%"reason":"[erased]"%' OR NEW.id <> OLD.id OR NEW.game_id <> OLD.game_id OR NEW.seq <> OLD.seq OR NEW.kind <> OLD.kind
    OR NEW.version <> OLD.version OR NEW.actor <> OLD.actor OR coalesce(NEW.cmd_id, '') <> coalesce(OLD.cmd_id, '') OR NEW.at <> OLD.at OR NEW.chain <> OLD.chain THEN
        RAISE EXCEPTION USING MESSAGE = 'game_events is append-only', ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $law$;
-- +goose StatementEnd
CREATE TRIGGER game_events_no_update BEFORE UPDATE ON game_events FOR EACH ROW EXECUTE FUNCTION game_events_no_update();
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION audit_no_update() RETURNS trigger LANGUAGE plpgsql AS $law$
BEGIN
    IF NEW.erased <= OLD.erased OR NEW.id <> OLD.id OR NEW.at <> OLD.at OR coalesce(NEW.tournament_id, 0) <> coalesce(OLD.tournament_id, 0) OR NEW.actor <> OLD.actor
    OR NEW.action <> OLD.action OR NEW.version <> OLD.version OR NEW.topics <> OLD.topics OR NEW.chain <> OLD.chain THEN
        RAISE EXCEPTION USING MESSAGE = 'audit is append-only', ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $law$;
-- +goose StatementEnd
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_no_update();
