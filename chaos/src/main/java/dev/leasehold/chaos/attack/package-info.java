/** Attacks a server over the network while a normal client uses it, and checks what that client was promised. */
@NullMarked
package dev.leasehold.chaos.attack;

import org.jspecify.annotations.NullMarked;
