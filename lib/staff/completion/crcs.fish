# Completes the staff command in fish, as `npx crcs` and as `crcs`, which is the same from any folder, and quicker.
if not type -q crcs
    function crcs
        {program} $argv
    end
end
function __crcs
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    test "$typed[1]" = npx; and set -e typed[1]
    set -e typed[1]
    set -l candidates ({program} complete -- $typed "$current" 2>/dev/null)
    if test "$candidates" = :files
        __fish_complete_path (string replace -r '^--[^=]*=' '' -- $current)
    else
        printf '%s\n' $candidates
    end
end
complete -c crcs -f -a '(__crcs)'
complete -c npx -n 'string match -q crcs -- (commandline -opc)[2]' -f -a '(__crcs)'
