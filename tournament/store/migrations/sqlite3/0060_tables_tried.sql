-- +goose Up
-- How often the code of a table with real tiles was tried while another device served the table, as seats.code_reused for
-- a seat.
ALTER TABLE tables ADD COLUMN code_reused INTEGER NOT NULL DEFAULT 0;
