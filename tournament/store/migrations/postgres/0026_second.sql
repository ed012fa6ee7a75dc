-- +goose Up
CREATE TABLE second_factors (
    account_id BIGINT PRIMARY KEY REFERENCES accounts,
    secret     TEXT COLLATE "C" NOT NULL,
    step       BIGINT NOT NULL,
    since      BIGINT NOT NULL
);
CREATE TABLE recovery_codes (
    hash       TEXT COLLATE "C" PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts,
    used_at    BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX recovery_codes_account ON recovery_codes (account_id);
