package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import java.util.List;

/** The sessions of the clients and servers: all but the harness's own. */
final class Sessions {
    private static final String THEIRS =
            " from pg_stat_activity where backend_type = 'client backend' and application_name <> 'chaos'";

    private Sessions() {}

    /** The processes that serve them. */
    static List<Long> backends(Site site) {
        return pids(site, " order by backend_start, pid");
    }

    /** The processes of those that did something last: most sessions are idle ones of pools. */
    static List<Long> busiest(Site site, int most) {
        return pids(site, " order by state_change desc nulls last, pid limit " + most);
    }

    private static List<Long> pids(Site site, String which) {
        return site.database().ask("postgres", "select pid" + THEIRS + which).stream()
                .map(Long::valueOf)
                .toList();
    }

    /** The statement that ends them all. */
    static String end() {
        return "select pg_terminate_backend(pid)" + THEIRS;
    }

    /** The statement that ends one at random. */
    static String endOne() {
        return end() + " order by random() limit 1";
    }
}
