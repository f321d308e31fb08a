-- queue/vacuum_partition: removes the dead rows of a partition that leases and completions left.
--
-- It waits for no lock, and only changes of the table itself wait for it. The file is not truncated, which would need an exclusive lock:
-- new items fill it again.
vacuum (skip_locked, truncate false, parallel 0) ${items};
