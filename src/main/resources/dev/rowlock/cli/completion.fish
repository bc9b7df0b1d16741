# Completes rowlock in fish: rowlock completion fish | source, or ~/.config/fish/completions/rowlock.fish

function __rowlock_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim "$at $word")
        contains -- $next $__rowlock_places; and set at $next
    end
    test "$at" = "$argv[1]"
end

function __rowlock_live
    set -l program (commandline -opc)[1]
    $program complete $argv[1] -- (commandline -ct | string replace -r '^--[^=]*=' '') 2>/dev/null </dev/null
end

complete -c rowlock -f
@TABLES@
