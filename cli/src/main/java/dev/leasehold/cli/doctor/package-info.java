/** Checks that tell whether a database or a server is fit for locks and queues. Start with {@link dev.leasehold.cli.doctor.DoctorCommand}. */
@NullMarked
package dev.leasehold.cli.doctor;

import org.jspecify.annotations.NullMarked;
