-- +goose Up
CREATE TABLE known_devices (
    token_hash TEXT COLLATE "C" NOT NULL,
    account_id BIGINT NOT NULL REFERENCES accounts,
    seen_at    BIGINT NOT NULL,
    PRIMARY KEY (token_hash, account_id)
);
CREATE INDEX known_devices_account ON known_devices (account_id, seen_at);
