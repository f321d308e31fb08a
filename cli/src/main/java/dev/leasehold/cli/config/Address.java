package dev.leasehold.cli.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where to listen: a host and a port. No host, as in {@code :2319}, is every address of the machine. */
public record Address(String host, int port) {
    private static final Pattern TEXT = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([^:\\[\\]]*)):(\\d{1,5})");
    private static final int MOST_PORT = 65_535;

    static Address parse(ConfigValue value) {
        Matcher text = TEXT.matcher(value.text().strip());
        if (!text.matches() || Integer.parseInt(text.group(3)) > MOST_PORT) {
            throw Settings.wrong(value, "must be HOST:PORT, for example 127.0.0.1:2319 or [::1]:2319");
        }
        String host = text.group(1) != null ? text.group(1) : text.group(2);
        Address address = new Address(host.isEmpty() ? "0.0.0.0" : host, Integer.parseInt(text.group(3)));
        address.isLoopback(value);
        return address;
    }

    boolean isLoopback(ConfigValue value) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw Settings.wrong(value, "must name a host that is known here");
        }
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
