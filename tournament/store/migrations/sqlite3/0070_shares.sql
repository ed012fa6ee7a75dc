-- +goose Up
-- The server's secret of a game's shuffle, and the number of the deal for which the devices are asked to reveal their
-- nonces; 0: they may still send a hash.
CREATE TABLE shuffles (
    game_id INTEGER PRIMARY KEY REFERENCES games ON DELETE CASCADE,
    secret  TEXT NOT NULL,
    asked   INTEGER NOT NULL DEFAULT 0
);
-- What a seat's device has sent: its hash, and its nonce for the newest deal. missed is the number of the last deal for
-- which its nonce was missing.
CREATE TABLE shares (
    game_id   INTEGER NOT NULL REFERENCES shuffles ON DELETE CASCADE,
    seat      INTEGER NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players ON DELETE CASCADE,
    hash      TEXT NOT NULL,
    nonce     TEXT NOT NULL,
    deal      INTEGER NOT NULL DEFAULT 0,
    missed    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (game_id, seat)
);
CREATE INDEX shares_of_player ON shares (player_id);
