-- schema/applied_versions: the versions of the schema that were applied to :table.
select version, checksum, min_compatible_version
from "leasehold_schema_version"
where table_name = :table
order by version;
