package dev.leasehold.cli.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Why a file could not be read. The JDK's messages are often no more than its name. */
public final class FileProblem {
    private FileProblem() {}

    /** The reason, to follow a colon. */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "there is no permission to read it";
        }
        return e instanceof CharacterCodingException ? "it is not UTF-8 text" : String.valueOf(e.getMessage());
    }
}
