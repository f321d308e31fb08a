-- doctor/replication_slots: slots that nobody reads, or that keep dead rows for a standby that lags.
select s.slot_name
from pg_replication_slots s
where not s.active
  or age(s.xmin) > 1000000
order by s.slot_name
limit 10
