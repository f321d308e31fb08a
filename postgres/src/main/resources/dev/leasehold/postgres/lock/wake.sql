-- lock/wake: tells every listening node which keys may have become free. On its own, so that no durable commit waits for it.
select count(pg_notify(:channel, p.payload))
from unnest(:payloads::text[]) as p (payload);
