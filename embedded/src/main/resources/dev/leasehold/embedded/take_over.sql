-- take_over: gives the database of an earlier build, and all that its superuser owns in it, to leasehold_app. All of it or nothing.
-- A sequence of a column goes with its table, and an index or a toast table too.
do $$
declare
    superuser constant oid := 10;
    found record;
begin
    for found in
        select nspname
        from pg_namespace
        where nspowner = superuser and nspname !~ '^pg_' and nspname <> 'information_schema'
    loop
        execute format('alter schema %I owner to leasehold_app', found.nspname);
    end loop;
    for found in
        select n.nspname, c.relname
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relowner = superuser
            and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
            and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
            and not exists (
                select from pg_depend d
                where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e')
                    and (c.relkind = 'S' or d.deptype = 'e'))
    loop
        execute format('alter table %I.%I owner to leasehold_app', found.nspname, found.relname);
    end loop;
    alter database leasehold owner to leasehold_app;
end
$$
