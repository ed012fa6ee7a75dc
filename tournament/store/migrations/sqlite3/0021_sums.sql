-- +goose Up
-- A checksum of each row of what is only appended: one bit that a disk turns over is seen. Rows from before have none.
ALTER TABLE game_events ADD COLUMN sum INTEGER;
ALTER TABLE audit ADD COLUMN sum INTEGER;
