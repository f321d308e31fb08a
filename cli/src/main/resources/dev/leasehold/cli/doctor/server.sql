-- doctor/server: what sort of server it is.
select
  current_setting('server_version_num')::integer as version_num,
  current_setting('server_version') as version,
  pg_is_in_recovery() as standby,
  current_setting('transaction_read_only')::boolean as read_only
