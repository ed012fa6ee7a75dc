-- +goose Up
-- A browser or program that has signed in to an account before, by the hash of a token that it keeps: tries of strangers do not
-- count against it.
CREATE TABLE known_devices (
    token_hash TEXT NOT NULL,
    account_id INTEGER NOT NULL REFERENCES accounts,
    seen_at    INTEGER NOT NULL,
    PRIMARY KEY (token_hash, account_id)
);
CREATE INDEX known_devices_account ON known_devices (account_id, seen_at);
