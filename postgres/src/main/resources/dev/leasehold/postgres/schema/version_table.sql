-- schema/version_table: whether the role can read the table of versions, and whether it can write to it or create it.
select
  coalesce(has_table_privilege(t.oid, 'select'), false) as is_readable,
  case
    when t.oid is null then coalesce(has_schema_privilege(current_schema(), 'create'), false)
    else has_table_privilege(t.oid, 'insert')
  end as is_writable
from (select to_regclass('"leasehold_schema_version"') as oid) as t;
