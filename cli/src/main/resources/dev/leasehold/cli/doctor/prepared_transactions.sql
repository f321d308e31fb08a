-- doctor/prepared_transactions: transactions in this database that were prepared so many seconds ago and not ended since.
select
  p.gid,
  floor(extract(epoch from clock_timestamp() - p.prepared))::bigint as seconds
from pg_prepared_xacts p
where p.database = current_database()
  and p.prepared <= clock_timestamp() - make_interval(secs => ?::bigint)
order by p.prepared
limit 10
