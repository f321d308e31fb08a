package dev.leasehold.lock;

/** Why a lock operation failed. Contention is not a failure: it is a value. */
public enum LockErrorCode {
    /** The store cannot be reached or refuses work for now; the same call may succeed later. */
    SERVICE_UNAVAILABLE("ServiceUnavailable"),
    /** The store refused the credentials. */
    AUTH_FAILED("AuthFailed"),
    /** The call or the configuration is wrong; the same call will never succeed. */
    INVALID_ARGUMENT("InvalidArgument"),
    /** No connection was free, or the store limits the rate. */
    RATE_LIMITED("RateLimited"),
    /** The store did not answer in time; what became of the call is not known. */
    NETWORK_TIMEOUT("NetworkTimeout"),
    /** The lock was held by others for as long as the caller was ready to wait. */
    ACQUISITION_TIMEOUT("AcquisitionTimeout"),
    /** The caller cancelled the call. */
    ABORTED("Aborted"),
    /** Something that should not happen; the cause says what. */
    INTERNAL("Internal");

    private final String text;

    LockErrorCode(String text) {
        this.text = text;
    }

    /** The code as it is written on every wire, for example {@code ServiceUnavailable}. */
    public String text() {
        return text;
    }
}
