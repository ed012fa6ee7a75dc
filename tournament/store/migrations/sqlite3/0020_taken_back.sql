-- +goose Up
-- When the seats of a round were last changed, or taken back, after people had seen them; 0: they were not.
ALTER TABLE rounds ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;

-- A game that never began is taken away with a round that is taken back. What is known of its devices goes with it: no turn has it.
DROP TRIGGER evidence_no_delete;
-- +goose StatementBegin
CREATE TRIGGER evidence_no_delete BEFORE DELETE ON evidence WHEN EXISTS (SELECT 1 FROM game_events WHERE game_id = OLD.game_id)
BEGIN SELECT raise(ABORT, 'evidence is append-only'); END;
-- +goose StatementEnd
