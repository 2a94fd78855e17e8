-- What the archive's records came to, to search in. It is no record: without it, it is made again from there.
CREATE TABLE IF NOT EXISTS indexed (
    journal text PRIMARY KEY,
    number bigint NOT NULL,
    session_record bigint NOT NULL DEFAULT 0,
    why text NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS hand (
    journal text NOT NULL,
    session integer NOT NULL,
    number integer NOT NULL,
    table_name text NOT NULL,
    began timestamptz NOT NULL,
    ended timestamptz NOT NULL,
    game text NOT NULL,
    players text[] NOT NULL,
    dealers text[] NOT NULL,
    refused integer NOT NULL,
    PRIMARY KEY (journal, session, number)
);
CREATE INDEX IF NOT EXISTS hand_by_time ON hand (ended);
CREATE TABLE IF NOT EXISTS ruling (
    journal text NOT NULL,
    entry bigint NOT NULL,
    place integer NOT NULL,
    session integer NOT NULL,
    hand integer NOT NULL,
    table_name text NOT NULL,
    at timestamptz NOT NULL,
    finding text NOT NULL,
    verdict text NOT NULL,
    cites text[] NOT NULL,
    text text NOT NULL,
    seat integer,
    player text NOT NULL,
    dealer text NOT NULL,
    by text NOT NULL,
    words text NOT NULL,
    PRIMARY KEY (journal, entry, place)
);
CREATE INDEX IF NOT EXISTS ruling_by_time ON ruling (at DESC, journal, entry);
