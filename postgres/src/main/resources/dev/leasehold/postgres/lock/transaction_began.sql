-- lock/transaction_began: when the caller's transaction began, which tells it from others of the same connection.
select now() as began;
