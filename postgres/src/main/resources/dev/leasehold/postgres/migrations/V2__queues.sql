--liquibase formatted sql
--changeset leasehold:2 splitStatements:false stripComments:false

-- Leasehold's schema, version 2: the table of queues.
--
-- Run it with psql -1, with Flyway, with Liquibase, or let Leasehold.migrate() or "leasehold migrate" run it: it is the same file. It is
-- idempotent, needs one transaction, and creates its tables in the first schema of the search path.

-- One migration at a time, whatever runs it.
select pg_advisory_xact_lock(hashtext('leasehold.schema'));

-- Which versions have been applied to which table. Every build that knows min_compatible_version works with the schema.
create table if not exists "leasehold_schema_version" (
  table_name text not null,
  version integer not null,
  description text not null,
  checksum text not null,
  min_compatible_version integer not null,
  applied_at timestamptz not null default now(),
  primary key (table_name, version)
);

insert into "leasehold_schema_version" (table_name, version, description, checksum, min_compatible_version)
values (trim(both '"' from '"queues"'), 2, 'queues', 'e7e90bde', 2)
on conflict do nothing;

-- The checksum is that of the text below this line.

-- One row for each queue. The engine creates a table of items for each partition when its first item comes.
create table if not exists "queues" (
  name text collate "C" primary key,
  lease_timeout_ns bigint not null,
  expire_timeout_ns bigint not null,
  dead_queue text not null default '',
  max_attempts integer not null default 0,
  reference text not null default '',
  requested_partitions integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  namespace text not null default '_system'
);

-- hash: stands for the queue in the names of its tables. uid: part of every item id, unique to each queue ever created. version: changes
-- with every change of the row. partition_stores: the store of each partition. deleted: its tables are being dropped. timeline: that of
-- the server when the sequences of the queue were last advanced; 0 if unknown, -1 if the server does not tell its timeline.
alter table "queues"
  add column if not exists hash text collate "C" not null,
  add column if not exists uid bigint not null,
  add column if not exists version bigint not null,
  add column if not exists partition_stores text[] not null,
  add column if not exists deleted boolean not null default false,
  add column if not exists timeline integer not null default 0;

create unique index if not exists "queues_hash" on "queues" (hash);

create sequence if not exists "queues_version";
