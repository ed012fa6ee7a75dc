-- +goose Up
ALTER TABLE tables ADD COLUMN code_reused BIGINT NOT NULL DEFAULT 0;
