-- doctor/hidden_sessions: how many sessions in this database do not show this role what they do.
select count(*) as hidden
from pg_stat_activity a
where a.datname = current_database()
  and a.query = '<insufficient privilege>'
