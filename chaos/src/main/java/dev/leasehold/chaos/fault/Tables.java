package dev.leasehold.chaos.fault;

/** The tables of locks and of items, as a query that finds them in the database where it is asked. */
final class Tables {
    private static final String ITEMS = "(select c.oid::regclass as name from pg_class c where c.relkind = 'r'"
            + " and c.relnamespace = 'public'::regnamespace and c.relname like 'items\\_%' and ";

    /** Whether a table belongs to one of the queues that come and go. */
    private static final String FLEETING = "exists (select from queues q where q.name like '%-admin-%'"
            + " and starts_with(c.relname, 'items_' || q.hash || '_'))";

    /**
     * Those of earlier rounds are of no use to anybody: only the newest, which are as many as a round has, and a few of those that come
     * and go. Any of the latter may be gone when it is used.
     */
    static final String OF_ITEMS = "select name from (" + ITEMS + "not " + FLEETING + " order by c.oid desc limit 10)"
            + " union all " + ITEMS + FLEETING + " order by c.oid desc limit 5)) as tables";

    static final String OF_LOCKS = "select c.oid::regclass as name from pg_class c where c.relkind = 'r'"
            + " and c.relnamespace = 'public'::regnamespace and c.relname like 'syncguard\\_%'";

    private Tables() {}
}
