--liquibase formatted sql
--changeset leasehold:1 splitStatements:false stripComments:false

-- Leasehold's schema, version 1: the tables of locks.
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
values (trim(both '"' from '"syncguard_locks"'), 1, 'locks', '1f914810', 1)
on conflict do nothing;

-- The checksum is that of the text below this line.

-- The names, and the meaning of the columns, are SyncGuard's, so that SyncGuard and Leasehold clients exclude each other on the same
-- database.
create table if not exists "syncguard_locks" (
  key text collate "C" primary key,
  lock_id text not null,
  expires_at_ms bigint not null,
  acquired_at_ms bigint not null,
  fence text not null,
  user_key text not null
);

-- Who holds it. Valid only while holder_lock_id = lock_id: SyncGuard rewrites rows without knowing these columns.
alter table "syncguard_locks" add column if not exists holder_lock_id text;
alter table "syncguard_locks" add column if not exists holder_owner text;
alter table "syncguard_locks" add column if not exists holder_instance_id text;
alter table "syncguard_locks" add column if not exists holder_lease_ms bigint;

create unique index if not exists "idx_syncguard_locks_lock_id" on "syncguard_locks" (lock_id);
create index if not exists "idx_syncguard_locks_expires" on "syncguard_locks" (expires_at_ms);

-- Locks are listed in byte order of their keys. The primary key of a table that SyncGuard created has another order.
do $$
begin
  if not exists (
    select
    from pg_attribute a
    join pg_collation c on c.oid = a.attcollation
    where a.attrelid = '"syncguard_locks"'::regclass
      and a.attname = 'key'
      and c.collname = 'C'
  )
  then
    create index if not exists "idx_syncguard_locks_key" on "syncguard_locks" (key collate "C");
  end if;
end $$;

-- Never delete a row of this table: a fence that starts again lets a stale holder through.
create table if not exists "syncguard_fence_counters" (
  fence_key text primary key,
  fence bigint not null default 0,
  key_debug text
);
alter table "syncguard_fence_counters" add column if not exists key_debug text;

-- Which node waits for which key: hints, lost in a crash without harm. Its keys compare as those of the locks do, or the index
-- would not serve.
create unlogged table if not exists "syncguard_locks_waiters" (
  key text collate "C" not null,
  node text not null,
  until_ms bigint not null,
  primary key (key, node)
);

alter table "syncguard_locks" set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
alter table "syncguard_fence_counters" set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
