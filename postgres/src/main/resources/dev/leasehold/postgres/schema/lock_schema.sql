-- schema/lock_schema: one migration at a time, whatever runs it: the files in migrations begin with the same.
select pg_advisory_xact_lock(hashtext('leasehold.schema'));
