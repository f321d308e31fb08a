package dev.leasehold.cli.command;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code leasehold completion}: a script that completes commands and options in a shell. */
@Command(
        name = "completion",
        description = "Print a script that completes commands and options in a shell.",
        footer = {
            "",
            "Examples:",
            "  source <(leasehold completion bash)",
            "  leasehold completion zsh > \"$HOME/.leasehold-completion\""
        })
public final class CompletionCommand extends CliCommand {
    /** The shells that there are scripts for. */
    enum Shell {
        bash,
        zsh
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private Shell shell = Shell.bash;

    @Override
    protected int run() {
        if (shell == Shell.zsh) {
            out().println("# zsh reads bash's completions with this.");
            out().println("autoload -U +X compinit && compinit");
            out().println("autoload -U +X bashcompinit && bashcompinit");
        }
        out().println(AutoComplete.bash("leasehold", spec().root().commandLine()));
        return ExitStatus.OK;
    }
}
