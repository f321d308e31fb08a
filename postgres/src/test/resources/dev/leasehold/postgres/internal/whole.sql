-- internal/whole: a file of SqlFileTest.
select :first::text, ':', a[1:2]
-- a comment between
from ${table}
where
  --include ${piece} condition=a = :first
