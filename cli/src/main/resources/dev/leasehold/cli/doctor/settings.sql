-- doctor/settings: the settings that matter to locks and queues, as this role has them.
select
  name,
  setting
from pg_settings
where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'default_transaction_isolation', 'autovacuum')
