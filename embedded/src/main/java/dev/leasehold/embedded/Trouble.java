package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Locale;

/** Sentences for what goes wrong with files. */
final class Trouble {
    private Trouble() {}

    static EmbeddedException with(String what, IOException e) {
        return new EmbeddedException("could not " + what + ": " + reason(e), e);
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return "no permission for '" + denied.getFile()
                    + "'; choose a directory that you may write with --data-dir";
        }
        if (e instanceof FileAlreadyExistsException there) {
            return "'" + there.getFile() + "' is there already and is no directory; choose another one with --data-dir";
        }
        String message = String.valueOf(e.getMessage());
        return isFull(message) ? message + "; free some space (it needs about 150 MB)" : message;
    }

    static boolean isFull(String message) {
        String text = message.toLowerCase(Locale.ROOT);
        return text.contains("no space left") || text.contains("quota exceeded");
    }
}
