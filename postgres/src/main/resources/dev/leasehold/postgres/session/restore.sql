-- session/restore: gives each of :names the value of :settings that it had before replace.
--
-- It is reset first, and set only if that was not enough: what nobody has set in the session follows the server's configuration, and
-- is to do so from now on.
reset lock_timeout;

reset statement_timeout;

reset plan_cache_mode;

reset enable_seqscan;

reset enable_bitmapscan;

reset jit;

reset default_transaction_isolation;

select set_config(s.name, s.setting, false)
from unnest(:names::text[], :settings::text[]) as s (name, setting)
where current_setting(s.name) <> s.setting;
