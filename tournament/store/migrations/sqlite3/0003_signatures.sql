-- +goose Up
-- A player's word that the count of a game is right, as it stood at a revision of the result. Whether it holds for
-- a later revision is whether that one only confirmed.
CREATE TABLE signatures (
    id        INTEGER PRIMARY KEY,
    game_id   INTEGER NOT NULL REFERENCES games,
    rev       INTEGER NOT NULL,
    seat      INTEGER NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players,
    at        INTEGER NOT NULL,
    UNIQUE (game_id, rev, player_id),
    FOREIGN KEY (game_id, rev) REFERENCES results (game_id, rev)
);
-- +goose StatementBegin
CREATE TRIGGER signatures_no_update BEFORE UPDATE ON signatures BEGIN SELECT raise(ABORT, 'signatures is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER signatures_no_delete BEFORE DELETE ON signatures BEGIN SELECT raise(ABORT, 'signatures is append-only'); END;
-- +goose StatementEnd
