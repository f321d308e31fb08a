-- queue/raise_lease_lost: makes sure that a transaction whose lease was lost cannot commit, even if the caller swallows the exception.
do $$ begin raise exception 'the lease of a completed item was lost' using errcode = 'LH002'; end $$;
