-- +goose Up
CREATE TABLE shuffles (
    game_id BIGINT PRIMARY KEY REFERENCES games ON DELETE CASCADE,
    secret  TEXT COLLATE "C" NOT NULL,
    asked   BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE shares (
    game_id   BIGINT NOT NULL REFERENCES shuffles ON DELETE CASCADE,
    seat      BIGINT NOT NULL,
    player_id BIGINT NOT NULL REFERENCES players ON DELETE CASCADE,
    hash      TEXT COLLATE "C" NOT NULL,
    nonce     TEXT COLLATE "C" NOT NULL,
    deal      BIGINT NOT NULL DEFAULT 0,
    missed    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (game_id, seat)
);
CREATE INDEX shares_of_player ON shares (player_id);
