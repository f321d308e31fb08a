package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The role of the clients gets other defaults than PostgreSQL's, as an administrator may set them. All sessions are ended, so that
 * they come back with them; when it is over, once more.
 */
final class RoleDefaults implements Fault {
    static final Map<String, String> DEFAULTS = new TreeMap<>(Map.of(
            "default_transaction_isolation", "serializable",
            "statement_timeout", "2s",
            "lock_timeout", "500ms",
            "search_path", "chaos_other, public"));

    private final Site site;

    RoleDefaults(Site site) {
        this.site = site;
    }

    @Override
    public void begin() {
        for (String database : List.of(Site.FIRST, Site.SECOND)) {
            site.database().executeIn(database, "create schema if not exists chaos_other");
        }
        site.database().execute(forTheRole(DEFAULTS.entrySet().stream().map(RoleDefaults::setting)));
    }

    /** Each part of a list is quoted on its own. */
    private static String setting(Map.Entry<String, String> setting) {
        return "set " + setting.getKey() + " = '" + setting.getValue().replace(", ", "', '") + "'";
    }

    @Override
    public void end() {
        Restoring.execute(site, forTheRole(DEFAULTS.keySet().stream().map(name -> "reset " + name)));
    }

    private String[] forTheRole(Stream<String> changes) {
        String role = "alter role " + site.database().user() + " ";
        return Stream.concat(changes.map(role::concat), Stream.of(Sessions.end()))
                .toArray(String[]::new);
    }
}
