-- queue/no_dead_letters: a piece of retry and sweep, for queues without a dead queue: writes nothing.
select 1
from gone
where false
