-- +goose Up
CREATE INDEX game_events_ruled ON game_events (game_id) WHERE kind IN ('penalty_given', 'notice_given', 'warning_given', 'seat_forfeited', 'redeal_granted', 'redeal_refused', 'turn_skipped', 'illegal_ruled', 'rewound', 'position_set', 'time_called');
