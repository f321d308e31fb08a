-- queue/advance_sequences: moves sequences on, those of :sequences that are there.
--
-- A standby that was promoted without the last commits has sequences that have gone back: numbers would be drawn again that callers
-- know already. How far it was behind nobody knows, but not by four thousand million numbers. Each timeline jumps by another
-- distance, in case a jump itself is lost with the next failover. It does no harm to jump twice, so nothing is locked.
select setval(s.sequence, coalesce(pg_sequence_last_value(s.sequence), 0) + (:timeline::bigint << 32))
from unnest(:sequences::text[]) as n (name)
cross join lateral (select to_regclass(n.name) as sequence) as s
where s.sequence is not null;
