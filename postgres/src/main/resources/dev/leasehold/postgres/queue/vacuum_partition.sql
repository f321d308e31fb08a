-- queue/vacuum_partition: takes away what leases and completions have left behind in the table of a partition.
--
-- It waits for nobody, nobody waits for it but who changes the table itself, and the file does not get shorter, which would need
-- the table for itself: new items fill it again.
vacuum (skip_locked, truncate false, parallel 0) ${items};
