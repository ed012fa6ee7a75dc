-- +goose Up
UPDATE accounts SET name_key = p.plain FROM (SELECT *, row_number() OVER (PARTITION BY plain ORDER BY id) AS nth
    FROM (SELECT id, name_key,
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(name_key,
    chr(8216), ''''), chr(8217), ''''), chr(8218), ''''), chr(8219), ''''), chr(8242), ''''), chr(700), ''''),
    chr(1523), ''''), chr(8220), '"'), chr(8221), '"'), chr(8222), '"'), chr(171), '"'), chr(187), '"'),
    chr(1524), '"'), chr(8208), '-'), chr(8209), '-'), chr(8210), '-'), chr(8211), '-'), chr(8212), '-'),
    chr(8722), '-'), chr(1470), '-'), chr(173), ''), chr(8204), ''), chr(8205), ''), chr(8288), '') AS plain
    FROM accounts) k WHERE name_key <> plain) p
    WHERE accounts.id = p.id AND nth = 1
    AND NOT EXISTS (SELECT 1 FROM accounts o WHERE o.name_key = p.plain);
UPDATE players SET name_key = p.plain FROM (SELECT *,
    row_number() OVER (PARTITION BY tournament_id, apart, plain ORDER BY id) AS nth
    FROM (SELECT id, tournament_id, apart, name_key,
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(name_key,
    chr(8216), ''''), chr(8217), ''''), chr(8218), ''''), chr(8219), ''''), chr(8242), ''''), chr(700), ''''),
    chr(1523), ''''), chr(8220), '"'), chr(8221), '"'), chr(8222), '"'), chr(171), '"'), chr(187), '"'),
    chr(1524), '"'), chr(8208), '-'), chr(8209), '-'), chr(8210), '-'), chr(8211), '-'), chr(8212), '-'),
    chr(8722), '-'), chr(1470), '-'), chr(173), ''), chr(8204), ''), chr(8205), ''), chr(8288), '') AS plain
    FROM players) k WHERE name_key <> plain) p
    WHERE players.id = p.id AND nth = 1
    AND NOT EXISTS (SELECT 1 FROM players o
        WHERE o.name_key = p.plain AND o.tournament_id = p.tournament_id AND o.apart = p.apart);
