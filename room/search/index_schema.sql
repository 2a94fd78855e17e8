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
-- Hands that were tabled, so that high hands are found among them; no card that lay face down is here.
CREATE TABLE IF NOT EXISTS tabled (
    journal text NOT NULL,
    session integer NOT NULL,
    hand integer NOT NULL,
    seat integer NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    table_name text NOT NULL,
    at timestamptz NOT NULL,
    game text NOT NULL,
    player text NOT NULL,
    own text[] NOT NULL,
    board text[] NOT NULL,
    pot bigint NOT NULL,
    dealt integer NOT NULL,
    PRIMARY KEY (journal, session, hand, seat)
);
CREATE INDEX IF NOT EXISTS tabled_by_id ON tabled (id);
-- Dealers who signed in at a table, or out (`gone`).
CREATE TABLE IF NOT EXISTS signed (
    journal text NOT NULL,
    number bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    table_name text NOT NULL,
    at timestamptz NOT NULL,
    name text NOT NULL,
    gone boolean NOT NULL,
    PRIMARY KEY (journal, number)
);
CREATE INDEX IF NOT EXISTS signed_by_id ON signed (id);
-- Who sits at a table since when, by its newest journal.
CREATE TABLE IF NOT EXISTS seated (
    journal text NOT NULL,
    seat integer NOT NULL,
    table_name text NOT NULL,
    player text NOT NULL,
    since timestamptz NOT NULL,
    PRIMARY KEY (journal, seat)
);
-- What each hand gave to the house, as it stands now; `day` is the house's in which it was over, no chips: unknown.
CREATE TABLE IF NOT EXISTS dropped (
    journal text NOT NULL,
    session integer NOT NULL,
    hand integer NOT NULL,
    table_name text NOT NULL,
    day date NOT NULL,
    ended timestamptz NOT NULL,
    game text NOT NULL,
    kind text NOT NULL,
    chips bigint,
    dealer text NOT NULL,
    PRIMARY KEY (journal, session, hand)
);
CREATE INDEX IF NOT EXISTS dropped_by_day ON dropped (day, table_name);
-- The same summed up, so that no question reads all hands.
CREATE TABLE IF NOT EXISTS day_drop (
    day date NOT NULL,
    table_name text NOT NULL,
    chips bigint NOT NULL,
    hands bigint NOT NULL,
    unknown bigint NOT NULL,
    last timestamptz NOT NULL,
    PRIMARY KEY (day, table_name)
);
CREATE INDEX IF NOT EXISTS day_drop_of_table ON day_drop (table_name, day);
-- And all days of a table.
CREATE TABLE IF NOT EXISTS table_drop (
    table_name text PRIMARY KEY,
    chips bigint NOT NULL,
    hands bigint NOT NULL,
    unknown bigint NOT NULL
);
-- Boxes that were counted at a table, as they were corrected last; no `expected`: nobody knows what should be in it.
CREATE TABLE IF NOT EXISTS drop_box (
    journal text NOT NULL,
    box bigint NOT NULL,
    number bigint NOT NULL,
    table_name text NOT NULL,
    at timestamptz NOT NULL,
    counted bigint NOT NULL,
    expected bigint,
    counted_by text NOT NULL,
    watched_by text NOT NULL,
    reason text NOT NULL,
    PRIMARY KEY (journal, box)
);
CREATE INDEX IF NOT EXISTS drop_box_by_time ON drop_box (at);
