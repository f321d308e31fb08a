-- The tables as builds before schema versions created them, with rows: locks that are held and one that has expired, fences, queues, and
-- items that are ready, leased, given back, scheduled and dead.

create table if not exists "syncguard_locks" (
  key text collate "C" primary key,
  lock_id text not null,
  expires_at_ms bigint not null,
  acquired_at_ms bigint not null,
  fence text not null,
  user_key text not null
);
alter table "syncguard_locks" add column if not exists holder_lock_id text;
alter table "syncguard_locks" add column if not exists holder_owner text;
alter table "syncguard_locks" add column if not exists holder_instance_id text;
alter table "syncguard_locks" add column if not exists holder_lease_ms bigint;

create unique index if not exists "idx_syncguard_locks_lock_id" on "syncguard_locks" (lock_id);
create index if not exists "idx_syncguard_locks_expires" on "syncguard_locks" (expires_at_ms);
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
create table if not exists "syncguard_fence_counters" (
  fence_key text primary key,
  fence bigint not null default 0,
  key_debug text
);
alter table "syncguard_fence_counters" add column if not exists key_debug text;
create unlogged table if not exists "syncguard_locks_waiters" (
  key text collate "C" not null,
  node text not null,
  until_ms bigint not null,
  primary key (key, node)
);

alter table "syncguard_locks" set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
alter table "syncguard_fence_counters" set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

insert into "syncguard_locks"
  (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key, holder_lock_id, holder_owner, holder_instance_id, holder_lease_ms)
values
  ('ledger:7', 'heldHeldHeldHeldHeldHe', 4102444800000, 1763496000000, '000000000000041', 'ledger:7', null, null, null, 30000),
  ('billing:nightly', 'ownedOwnedOwnedOwnedOw', 4102444800000, 1763496000000, '000000000000007', 'billing:nightly',
    'ownedOwnedOwnedOwnedOw', 'worker', 'instance-1', 60000),
  ('expired', 'goneGoneGoneGoneGoneGo', 1763496000000, 1763495900000, '000000000000003', 'expired', null, null, null, 30000);

insert into "syncguard_fence_counters" (fence_key, fence, key_debug)
values ('fence:ledger:7', 41, 'ledger:7'), ('fence:billing:nightly', 7, 'billing:nightly'), ('fence:expired', 3, 'expired'),
  ('fence:released', 99, 'released');

insert into "syncguard_locks_waiters" (key, node, until_ms) values ('ledger:7', 'node-1', 1763496000000);

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
alter table "queues"
  add column if not exists hash text collate "C" not null,
  add column if not exists uid bigint not null,
  add column if not exists version bigint not null,
  add column if not exists partition_stores text[] not null,
  add column if not exists deleted boolean not null default false,
  add column if not exists timeline integer not null default 0;

create unique index if not exists "queues_hash" on "queues" (hash);

create sequence if not exists "queues_version";

insert into "queues"
  (name, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions, created_at, updated_at,
   namespace, hash, uid, version, partition_stores, timeline)
values
  ('work', 3600000000000, 864000000000000000, 'work-dead', 3, 'team a', 1, '2025-11-18 20:00:00Z', '2025-11-18 20:00:00Z',
    '_system', '8v77pT0sia', 1561203432226828345, 2, '{postgres}', 1),
  ('work-dead', 3600000000000, 864000000000000000, '', 0, '', 1, '2025-11-18 20:00:00Z', '2025-11-18 20:00:00Z',
    '_system', '5meWNMbzkC', 1561203432226883890, 1, '{postgres}', 1);

select setval('queues_version', 2);

create sequence if not exists "items_8v77pT0sia_0_seq";

create table if not exists "items_8v77pT0sia_0" (
  id bigint primary key default nextval('"items_8v77pT0sia_0_seq"'),
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

alter table "items_8v77pT0sia_0" add column if not exists given_back integer not null default 0;

alter sequence "items_8v77pT0sia_0_seq" owned by "items_8v77pT0sia_0".id;

create index if not exists "idx_8v77pT0sia_0_lse" on "items_8v77pT0sia_0" (id) where not is_leased and enqueue_at is null;

create index if not exists "idx_8v77pT0sia_0_dln" on "items_8v77pT0sia_0" (lease_deadline) where is_leased;

create index if not exists "idx_8v77pT0sia_0_sch" on "items_8v77pT0sia_0" (enqueue_at, id) where enqueue_at is not null;

create index if not exists "idx_8v77pT0sia_0_exp" on "items_8v77pT0sia_0" (expire_deadline) where not is_leased and enqueue_at is null;

create unique index if not exists "idx_8v77pT0sia_0_src" on "items_8v77pT0sia_0" (source_id) where source_id is not null;

create sequence if not exists "items_5meWNMbzkC_0_seq";

create table if not exists "items_5meWNMbzkC_0" (
  id bigint primary key default nextval('"items_5meWNMbzkC_0_seq"'),
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

alter table "items_5meWNMbzkC_0" add column if not exists given_back integer not null default 0;

alter sequence "items_5meWNMbzkC_0_seq" owned by "items_5meWNMbzkC_0".id;

create index if not exists "idx_5meWNMbzkC_0_lse" on "items_5meWNMbzkC_0" (id) where not is_leased and enqueue_at is null;

create index if not exists "idx_5meWNMbzkC_0_dln" on "items_5meWNMbzkC_0" (lease_deadline) where is_leased;

create index if not exists "idx_5meWNMbzkC_0_sch" on "items_5meWNMbzkC_0" (enqueue_at, id) where enqueue_at is not null;

create index if not exists "idx_5meWNMbzkC_0_exp" on "items_5meWNMbzkC_0" (expire_deadline) where not is_leased and enqueue_at is null;

create unique index if not exists "idx_5meWNMbzkC_0_src" on "items_5meWNMbzkC_0" (source_id) where source_id is not null;

insert into "items_8v77pT0sia_0"
  (id, is_leased, lease_deadline, expire_deadline, enqueue_at, created_at, attempts, given_back, reference, encoding, kind, payload)
values
  (1, true, '2100-01-01Z', '9999-01-01Z', null, '2025-11-18 20:00:00Z', 1, 0, 'order-1', 'utf-8', 'order', 'leased'),
  (3, false, null, '9999-01-01Z', null, '2025-11-18 20:00:01Z', 0, 0, '', '', '', 'ready'),
  (4, false, null, '9999-01-01Z', null, '2025-11-18 20:00:02Z', 0, 2, '', '', '', 'given back'),
  (5, false, null, '9999-01-01Z', '2100-01-01Z', '2025-11-18 20:00:03Z', 0, 0, '', '', '', 'scheduled');

select setval('"items_8v77pT0sia_0_seq"', 5);

insert into "items_5meWNMbzkC_0" (id, expire_deadline, created_at, source_id, payload)
values (1, '9999-01-01Z', '2025-11-18 20:00:04Z', '=15aa824000003039800000000000000000020000', 'dead');

select setval('"items_5meWNMbzkC_0_seq"', 1);
