-- +goose Up
ALTER TABLE players RENAME COLUMN country_key TO apart;
ALTER TABLE players ADD COLUMN mark TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN told TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN shown TEXT COLLATE "C" GENERATED ALWAYS AS (CASE told WHEN '' THEN name ELSE name || ' (' || told || ')' END) STORED;
UPDATE players SET told = CASE country WHEN '' THEN '#' || number ELSE country END
    WHERE EXISTS (SELECT 1 FROM players o WHERE o.tournament_id = players.tournament_id AND o.name_key = players.name_key AND o.id <> players.id);
