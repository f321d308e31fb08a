-- queue/forget: there is no dead queue: gone items leave nothing.
select 1
from gone
where false
