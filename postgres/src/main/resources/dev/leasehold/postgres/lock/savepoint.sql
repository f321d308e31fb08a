-- lock/savepoint: whether the caller's transaction has a savepoint after which it has written or locked something: each such
-- subtransaction holds a lock on a transaction id of its own. It reads the whole lock table of the server, so it runs rarely.
select count(*) > 1 as is_open
from pg_locks
where pid = pg_backend_pid()
  and locktype = 'transactionid'
  and mode = 'ExclusiveLock'
  and granted;
