-- lock/view_check: what stands in the place of the view: (n)othing, (o)urs over these tables, or something of somebody (e)lse.
select
  case
    when to_regclass(:view) is null then 'n'
    when obj_description(to_regclass(:view), 'pg_class') = 'leasehold: locks of ' || :locks_name::text then 'o'
    else 'e'
  end as found;
