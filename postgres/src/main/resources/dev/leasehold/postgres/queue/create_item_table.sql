-- queue/create_item_table: the table of one partition. Safe to repeat under the advisory lock that goes with it. A table of an earlier
-- version gets the columns that it lacks.
--
-- given_back: how often the item was given back; a part of its id, as its number is.
--
-- Every index is there for one statement: the ready items in their order (lease), the ends of leases, the times of scheduled items and
-- the ends of items that nobody has leased (sweep), and the source ids of dead letters.
create sequence if not exists ${sequence};

create table if not exists ${items} (
  id bigint primary key default nextval(${sequence_name}),
  is_leased boolean not null default false,
  lease_deadline timestamptz,
  expire_deadline timestamptz not null,
  enqueue_at timestamptz,
  created_at timestamptz not null,
  attempts integer not null default 0,
  max_attempts integer not null default 0,
  given_back integer not null default 0,
  source_id text collate "C",
  reference text not null default '',
  encoding text not null default '',
  kind text not null default '',
  payload bytea
)
with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.2,
  autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0.02,
  toast.autovacuum_vacuum_cost_delay = 0
);

alter table ${items} add column if not exists given_back integer not null default 0;

alter sequence ${sequence} owned by ${items}.id;

create index if not exists ${idx_lse} on ${items} (id) where not is_leased and enqueue_at is null;

create index if not exists ${idx_dln} on ${items} (lease_deadline) where is_leased;

create index if not exists ${idx_sch} on ${items} (enqueue_at, id) where enqueue_at is not null;

create index if not exists ${idx_exp} on ${items} (expire_deadline) where not is_leased and enqueue_at is null;

create unique index if not exists ${idx_src} on ${items} (source_id) where source_id is not null;
