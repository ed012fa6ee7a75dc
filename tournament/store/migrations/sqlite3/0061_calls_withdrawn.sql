-- +goose Up
-- A player may withdraw a call. Calls before a game go with it, as in 0056.
DROP TRIGGER game_events_no_delete;
-- +goose StatementBegin
CREATE TRIGGER game_events_no_delete BEFORE DELETE ON game_events
    WHEN NOT EXISTS (SELECT 1 FROM organizations o JOIN tournaments t ON t.organization_id = o.id
    JOIN games g ON g.tournament_id = t.id WHERE g.id = OLD.game_id AND o.deleting <> 0)
    AND (OLD.kind NOT IN ('referee_called', 'call_withdrawn', 'call_acknowledged', 'call_answered')
    OR NOT EXISTS (SELECT 1 FROM games WHERE id = OLD.game_id AND status = 'waiting'))
BEGIN SELECT raise(ABORT, 'game_events is append-only'); END;
-- +goose StatementEnd
