-- session/replace: sets each of :names to its value of :wanted for the session, and says what it was before.
select s.name, s.setting, set_config(s.name, s.wanted, false)
from (
  select w.name, w.wanted, current_setting(w.name) as setting
  from unnest(:names::text[], :wanted::text[]) as w (name, wanted)
  offset 0
) as s;
