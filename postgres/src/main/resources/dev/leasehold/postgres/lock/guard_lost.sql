-- lock/guard_lost: makes sure that a transaction whose guard failed cannot commit, even if the caller swallows the exception.
do $$ begin raise exception 'the guarded lock was lost' using errcode = 'LH001'; end $$;
