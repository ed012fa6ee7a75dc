-- +goose Up
-- Keys of names write every dash, apostrophe and quotation mark in one way, without invisible characters. A name whose
-- key would become another's keeps its old one.
UPDATE OR IGNORE accounts SET name_key =
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(name_key,
    char(8216), ''''), char(8217), ''''), char(8218), ''''), char(8219), ''''), char(8242), ''''), char(700),
    ''''), char(1523), ''''), char(8220), '"'), char(8221), '"'), char(8222), '"'), char(171), '"'), char(187),
    '"'), char(1524), '"'), char(8208), '-'), char(8209), '-'), char(8210), '-'), char(8211), '-'), char(8212),
    '-'), char(8722), '-'), char(1470), '-'), char(173), ''), char(8204), ''), char(8205), ''), char(8288), '');
UPDATE OR IGNORE players SET name_key =
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(name_key,
    char(8216), ''''), char(8217), ''''), char(8218), ''''), char(8219), ''''), char(8242), ''''), char(700),
    ''''), char(1523), ''''), char(8220), '"'), char(8221), '"'), char(8222), '"'), char(171), '"'), char(187),
    '"'), char(1524), '"'), char(8208), '-'), char(8209), '-'), char(8210), '-'), char(8211), '-'), char(8212),
    '-'), char(8722), '-'), char(1470), '-'), char(173), ''), char(8204), ''), char(8205), ''), char(8288), '');
