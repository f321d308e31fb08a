-- lock/transaction_began: when the caller's transaction began, which distinguishes it from others of the same connection.
select now() as began;
