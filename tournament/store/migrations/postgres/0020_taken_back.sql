-- +goose Up
ALTER TABLE rounds ADD COLUMN changed_at BIGINT NOT NULL DEFAULT 0;

DROP TRIGGER evidence_no_delete ON evidence;
DROP TRIGGER IF EXISTS evidence_no_truncate ON evidence;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION evidence_no_delete() RETURNS trigger LANGUAGE plpgsql AS $law$
BEGIN
    IF EXISTS (SELECT 1 FROM game_events WHERE game_id = OLD.game_id) THEN
        RAISE EXCEPTION USING MESSAGE = 'evidence is append-only', ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
END $law$;
-- +goose StatementEnd
CREATE TRIGGER evidence_no_delete BEFORE DELETE ON evidence FOR EACH ROW EXECUTE FUNCTION evidence_no_delete();
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION evidence_no_truncate() RETURNS trigger LANGUAGE plpgsql AS $law$
BEGIN
    RAISE EXCEPTION USING MESSAGE = 'evidence is append-only', ERRCODE = 'integrity_constraint_violation';
END $law$;
-- +goose StatementEnd
CREATE TRIGGER evidence_no_truncate BEFORE TRUNCATE ON evidence FOR EACH STATEMENT EXECUTE FUNCTION evidence_no_truncate();
