-- doctor/connections: how many connections are open, of how many for ordinary roles.
select
  (select coalesce(sum(numbackends), 0) from pg_stat_database) as used,
  current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as usable
