-- +goose Up
-- The app that shows an official's codes, and the codes for whoever has lost it. step is that of the last code that was used: none is
-- taken twice. The secret is kept as it is, since codes are made from it: whoever can read this file can make them.
CREATE TABLE second_factors (
    account_id INTEGER PRIMARY KEY REFERENCES accounts,
    secret     TEXT NOT NULL,
    step       INTEGER NOT NULL,
    since      INTEGER NOT NULL
);
CREATE TABLE recovery_codes (
    hash       TEXT PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts,
    used_at    INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX recovery_codes_account ON recovery_codes (account_id);
