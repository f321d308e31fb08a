package dev.leasehold.cli.config;

/** A setting that is wrong. The message is a sentence that names it and says where it was; it never contains a secret. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }
}
