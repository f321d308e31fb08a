-- queue/current_transaction_id: tells, in the caller's transaction, which transaction that is, to notice when it has ended.
select pg_current_xact_id()::text::bigint as xid;
