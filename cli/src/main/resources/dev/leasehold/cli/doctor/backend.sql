-- doctor/backend: which backend answers.
select pg_backend_pid() as pid
