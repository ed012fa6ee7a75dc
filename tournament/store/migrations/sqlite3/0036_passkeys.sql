-- +goose Up
-- The keys by which an official shows the second step with a device instead of a code. public_key is COSE as the device gave it,
-- flags what the device said of itself then; sign_count is that of the last use: a key that is behind it has a copy.
CREATE TABLE passkeys (
    id         INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts,
    credential BLOB NOT NULL UNIQUE,
    public_key BLOB NOT NULL,
    sign_count INTEGER NOT NULL,
    flags      INTEGER NOT NULL,
    name       TEXT NOT NULL,
    added_at   INTEGER NOT NULL,
    used_at    INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX passkeys_account ON passkeys (account_id);
