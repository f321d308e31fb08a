-- queue/no_dead_letters: there is no dead queue: gone items leave nothing.
select 1
from gone
where false
