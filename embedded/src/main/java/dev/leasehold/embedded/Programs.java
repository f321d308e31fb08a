package dev.leasehold.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL, unpacked from the archive on the class path once per version. */
final class Programs {
    private static final Logger LOG = LoggerFactory.getLogger(Programs.class);

    private static final Map<String, String> ARCHIVES = Map.of(
            "amd64", "postgres-linux-x86_64.txz",
            "x86_64", "postgres-linux-x86_64.txz",
            "aarch64", "postgres-linux-arm_64.txz",
            "arm64", "postgres-linux-arm_64.txz");

    private final Path home;

    private Programs(Path home) {
        this.home = home;
    }

    /** Unpacks them to {@code home}, unless they are there. */
    static Programs unpacked(Path home) {
        if (!Files.isDirectory(home)) {
            LOG.info("unpacking PostgreSQL to {}, once", home);
            Path half = home.resolveSibling(home.getFileName() + ".new");
            try (InputStream archive = archive()) {
                Trees.delete(half);
                Files.createDirectories(half);
                unpack(archive, half);
                Trees.publish(half, home);
            } catch (IOException e) {
                throw Trouble.with("unpack PostgreSQL to '" + home + "'", e);
            }
        }
        return new Programs(home);
    }

    private static InputStream archive() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String name = ARCHIVES.get(System.getProperty("os.arch", ""));
        InputStream archive =
                system.equals("linux") && name != null ? Programs.class.getResourceAsStream("/" + name) : null;
        if (archive == null) {
            throw new EmbeddedException(
                    "no PostgreSQL comes along for " + system + " on " + System.getProperty("os.arch")
                            + "; name one of your own with --postgres-url, or try --store memory");
        }
        return archive;
    }

    private static void unpack(InputStream archive, Path to) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(entry, tar, to);
            }
        }
    }

    private static void unpack(TarArchiveEntry entry, InputStream content, Path to) throws IOException {
        Path path = to.resolve(entry.getName()).normalize();
        if (!path.startsWith(to)) {
            throw new IOException("the archive leads out of its directory: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(path.resolveSibling("."));
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
            Files.copy(content, path);
            Files.setPosixFilePermissions(path, permissions((entry.getMode() & 0100) != 0));
        }
    }

    private static Set<PosixFilePermission> permissions(boolean executable) {
        Set<PosixFilePermission> permissions = EnumSet.of(
                PosixFilePermission.OWNER_READ,
                PosixFilePermission.OWNER_WRITE,
                PosixFilePermission.GROUP_READ,
                PosixFilePermission.OTHERS_READ);
        if (executable) {
            permissions.addAll(EnumSet.of(
                    PosixFilePermission.OWNER_EXECUTE,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_EXECUTE));
        }
        return permissions;
    }

    /** Where {@code initdb} and its like lie. */
    String path(String program) {
        return home.resolve("bin").resolve(program).toString();
    }
}
