package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RouterTest {
    private static final ErrorMapper ERRORS = new PlainErrorMapper();

    private final Route storage = route("POST", "/v1/storage/items.list");
    private final Route lookup = route("GET", "/v1/{namespace}/lock/{name}");
    private final Route take = route("POST", "/v1/{namespace}/lock/{name}/acquire");
    private final Route put = route("PUT", "/v1/{namespace}/lock/{name}");
    private final Route fixed = route("GET", "/v1/storage/lock/special");
    private final Route unknownPost = route("POST", "");
    private final Route unknown = route("GET", "");
    private final Router router = new Router(List.of(storage, lookup, take, put, fixed), unknownPost, unknown);

    private static Route route(String method, String path) {
        return new Route(
                method,
                path,
                method + path,
                ERRORS,
                1,
                false,
                request -> CompletableFuture.completedFuture(Response.empty(200)));
    }

    @Test
    void a_path_is_found_by_its_method() {
        assertThat(router.match("POST", "/v1/storage/items.list"))
                .isEqualTo(new Router.Match(storage, List.of(), true));
    }

    @Test
    void placeholders_stand_for_what_was_sent_as_it_was_sent() {
        assertThat(router.match("GET", "/v1/a%2Fb/lock/c%20d"))
                .isEqualTo(new Router.Match(lookup, List.of("a%2Fb", "c%20d"), true));
        assertThat(router.match("PUT", "/v1/a/lock/b").route()).isSameAs(put);
        assertThat(router.match("POST", "/v1/a/lock/b/acquire").route()).isSameAs(take);
    }

    @Test
    void a_path_without_placeholders_wins() {
        assertThat(router.match("GET", "/v1/storage/lock/special").route()).isSameAs(fixed);
        assertThat(router.match("PUT", "/v1/storage/lock/special").isMethodKnown())
                .isFalse();
    }

    @Test
    void a_known_path_with_another_method_is_its_familys_to_refuse() {
        Router.Match match = router.match("GET", "/v1/storage/items.list");

        assertThat(match.isMethodKnown()).isFalse();
        assertThat(match.route()).isSameAs(storage);
    }

    @Test
    void head_is_get_without_a_body() {
        assertThat(router.match("HEAD", "/v1/a/lock/b")).isEqualTo(new Router.Match(lookup, List.of("a", "b"), true));
    }

    @Test
    void nobodys_path_goes_where_such_go() {
        assertThat(router.match("POST", "/v1/nothing").route()).isSameAs(unknownPost);
        assertThat(router.match("GET", "/v1/nothing").route()).isSameAs(unknown);
        assertThat(router.match("POST", "/v1/a/b/lock/c/acquire").route()).isSameAs(unknownPost);
        assertThat(router.match("POST", "/v1/storage/items.list/").route()).isSameAs(unknownPost);
        assertThat(router.match("POST", "").route()).isSameAs(unknownPost);
    }
}
