-- +goose Up
-- The kinds one by one: from a list SQLite builds a table again for every row that is written, and every move of every game is a row.
DROP INDEX game_events_ruled;
CREATE INDEX game_events_ruled ON game_events (game_id) WHERE kind = 'penalty_given' OR kind = 'notice_given' OR kind = 'warning_given' OR kind = 'seat_forfeited' OR kind = 'redeal_granted' OR kind = 'redeal_refused' OR kind = 'turn_skipped' OR kind = 'illegal_ruled' OR kind = 'rewound' OR kind = 'position_set' OR kind = 'time_called';
