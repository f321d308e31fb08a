-- queue/unfinished_deletions: queues whose deletion was not finished, because the node that was at it has gone.
select name, uid
from ${queues}
where deleted
order by name;
