-- doctor/clock: the database's time in milliseconds.
select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
