-- The table in which queues are written down. Safe to repeat. Tables of items come and go with their queues.

create table if not exists ${queues} (
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

-- hash: the part of the names of its tables that stands for the queue. uid: part of every item id, another for each queue ever.
-- version: another with every change. partition_stores: the store of each partition. deleted: its tables are being dropped.
-- timeline: that of the server when the sequences of the queue were last moved on; 0 if it is not known, -1 if the server does not
-- tell its timeline.
alter table ${queues}
  add column if not exists hash text collate "C" not null,
  add column if not exists uid bigint not null,
  add column if not exists version bigint not null,
  add column if not exists partition_stores text[] not null,
  add column if not exists deleted boolean not null default false,
  add column if not exists timeline integer not null default 0;

create unique index if not exists ${queues_hash} on ${queues} (hash);

create sequence if not exists ${queues_version};
