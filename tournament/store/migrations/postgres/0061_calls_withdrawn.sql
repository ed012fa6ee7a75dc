-- +goose Up
DROP TRIGGER game_events_no_delete ON game_events;
DROP TRIGGER IF EXISTS game_events_no_truncate ON game_events;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION game_events_no_delete() RETURNS trigger LANGUAGE plpgsql AS $law$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id
    JOIN games g ON g.tournament_id = t.id WHERE g.id = OLD.game_id AND o.deleting <> 0)
    AND (OLD.kind NOT IN ('referee_called', 'call_withdrawn', 'call_acknowledged', 'call_answered')
    OR NOT EXISTS (SELECT 1 FROM games WHERE id = OLD.game_id AND status = 'waiting')) THEN
        RAISE EXCEPTION USING MESSAGE = 'game_events is append-only', ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
END $law$;
-- +goose StatementEnd
CREATE TRIGGER game_events_no_delete BEFORE DELETE ON game_events FOR EACH ROW EXECUTE FUNCTION game_events_no_delete();
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION game_events_no_truncate() RETURNS trigger LANGUAGE plpgsql AS $law$
BEGIN
    RAISE EXCEPTION USING MESSAGE = 'game_events is append-only', ERRCODE = 'integrity_constraint_violation';
END $law$;
-- +goose StatementEnd
CREATE TRIGGER game_events_no_truncate BEFORE TRUNCATE ON game_events
    FOR EACH STATEMENT EXECUTE FUNCTION game_events_no_truncate();
