-- +goose Up
ALTER TABLE backups ADD COLUMN folder TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE TABLE copy_plan (
    id      BIGINT PRIMARY KEY CHECK (id = 1),
    folder  TEXT COLLATE "C" NOT NULL,
    apart   BIGINT NOT NULL,
    minutes BIGINT NOT NULL,
    rounds  BIGINT NOT NULL,
    keep    BIGINT NOT NULL
);
