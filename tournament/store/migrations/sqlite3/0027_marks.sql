-- +goose Up
-- Two people of one name in an event are told apart by a mark. apart is what tells an entry from others of its name: the country, and
-- the mark where one was given (mark). told is what stands after the name for everybody, empty where the name is there once; shown is
-- the name with it, which is what people read.
ALTER TABLE players RENAME COLUMN country_key TO apart;
ALTER TABLE players ADD COLUMN mark TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN told TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN shown TEXT GENERATED ALWAYS AS (CASE told WHEN '' THEN name ELSE name || ' (' || told || ')' END) VIRTUAL;
UPDATE players SET told = CASE country WHEN '' THEN '#' || number ELSE country END
    WHERE EXISTS (SELECT 1 FROM players o WHERE o.tournament_id = players.tournament_id AND o.name_key = players.name_key AND o.id <> players.id);
