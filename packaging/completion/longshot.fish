# Completion of longshot for fish. The program itself knows what may follow: longshot complete.
# SPDX-License-Identifier: Apache-2.0

function __longshot_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] complete $words[2..-1] "$current" 2>/dev/null)
        set -l parts (string split \t -- $line)
        if test "$parts[1]" = files
            if test "$parts[2]" = '*'
                __fish_complete_path "$current"
            else
                __fish_complete_suffix (string replace '*' '' -- $parts[2])
            end
        else
            echo $line
        end
    end
end

complete -c longshot -f -a '(__longshot_complete)'
