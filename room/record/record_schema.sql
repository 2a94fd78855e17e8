-- What a room keeps. Records of tables as they came, lines of the room's own, and how far each table's journal is here.
CREATE TABLE IF NOT EXISTS head (
    table_name text NOT NULL,
    journal text NOT NULL,
    number bigint NOT NULL,
    chain text NOT NULL,
    why text NOT NULL DEFAULT '',
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_name, journal)
);
CREATE UNIQUE INDEX IF NOT EXISTS head_of_one_table ON head (journal);
-- A journal whose name another table's had before: what it is called here, as `journal` everywhere else.
CREATE TABLE IF NOT EXISTS namesake (
    table_name text NOT NULL,
    journal text NOT NULL,
    kept_as text NOT NULL,
    PRIMARY KEY (table_name, journal)
);
-- What a table sent and the archive did not take: a gap, a fork, a changed record; `mended` when the right one came.
CREATE TABLE IF NOT EXISTS alarm (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_name text NOT NULL,
    journal text NOT NULL,
    why text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    mended timestamptz
);
CREATE INDEX IF NOT EXISTS alarm_open ON alarm (table_name, journal) WHERE mended IS NULL;
CREATE INDEX IF NOT EXISTS alarm_of_one ON alarm (table_name, id);
-- How much a table has sent on the last day on which it sent something.
CREATE TABLE IF NOT EXISTS taken (
    table_name text PRIMARY KEY,
    day date NOT NULL,
    bytes bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS record (
    journal text NOT NULL,
    number bigint NOT NULL,
    line text NOT NULL,
    PRIMARY KEY (journal, number)
);
CREATE TABLE IF NOT EXISTS line (
    stream text NOT NULL,
    number bigint NOT NULL,
    at double precision NOT NULL,
    by text NOT NULL,
    what json NOT NULL,
    PRIMARY KEY (stream, number)
);
CREATE INDEX IF NOT EXISTS line_at ON line (stream, at);
-- Each webhook of the room's file as it stands; `place` is the number under which its senders wait for each other.
CREATE TABLE IF NOT EXISTS webhook (
    name text PRIMARY KEY,
    place integer GENERATED ALWAYS AS IDENTITY,
    failing text NOT NULL DEFAULT '',
    ended boolean NOT NULL DEFAULT false,
    waiting bigint NOT NULL DEFAULT 0,
    given_up bigint NOT NULL DEFAULT 0,
    last double precision
);
-- How far it has been told each stream.
CREATE TABLE IF NOT EXISTS webhook_told (
    name text NOT NULL REFERENCES webhook ON DELETE CASCADE,
    stream text NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (name, stream)
);
-- What its receiver refused, until somebody has it told again.
CREATE TABLE IF NOT EXISTS webhook_aside (
    name text NOT NULL REFERENCES webhook ON DELETE CASCADE,
    stream text NOT NULL,
    number bigint NOT NULL,
    why text NOT NULL,
    again boolean NOT NULL DEFAULT false,
    PRIMARY KEY (name, stream, number)
);
