package dev.leasehold.server.lock;

import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockException;
import dev.leasehold.server.auth.ForbiddenException;
import dev.leasehold.server.auth.Principal;
import org.jspecify.annotations.Nullable;

/** The holder in a request: {@code owner} and {@code instance_id}. With a credential the owner is its subject. */
final class HolderFields {
    private HolderFields() {}

    /** Null if the request does not say. */
    static @Nullable Holder find(JsonFields fields, Principal principal) {
        String owner = fields.text("owner");
        String instanceId = fields.text("instance_id");
        if (principal.isAuthenticated()) {
            if (owner != null && !owner.equals(principal.subject())) {
                throw new ForbiddenException("the owner is the subject of the credential; leave it out");
            }
            return instanceId == null ? null : Holder.of(principal.subject(), instanceId);
        }
        if ((owner == null) != (instanceId == null)) {
            throw LockException.invalidArgument("owner and instance_id go together: give both or neither");
        }
        return owner == null ? null : Holder.of(owner, instanceId);
    }

    static Holder require(JsonFields fields, Principal principal) {
        Holder holder = find(fields, principal);
        if (holder == null) {
            throw LockException.invalidArgument(
                    principal.isAuthenticated() ? "instance_id is required" : "owner and instance_id are required");
        }
        return holder;
    }
}
