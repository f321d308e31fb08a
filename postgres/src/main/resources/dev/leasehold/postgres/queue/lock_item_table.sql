-- queue/lock_item_table: keeps others from making the table of the same partition until the transaction ends.
select pg_advisory_xact_lock(hashtext(${items_lock}));
