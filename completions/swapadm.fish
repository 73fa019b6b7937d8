# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_swapadm_global_optspecs
    string join \n sysroot= recording= at= i/interval= color= glyphs= ascii screen= no-mouse config= no-config h/help V/version
end

function __fish_swapadm_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_swapadm_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_swapadm_using_subcommand
    set -l cmd (__fish_swapadm_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c swapadm -n "__fish_swapadm_needs_command" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_needs_command" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_needs_command" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_needs_command" -s i -l interval -d 'Seconds between samples [env: SWAPADM_INTERVAL]' -r
complete -c swapadm -n "__fish_swapadm_needs_command" -l color -d 'Colours: auto, true, 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]' -r -f -a "auto\t''
true\t''
256\t''
16\t''
never\t''"
complete -c swapadm -n "__fish_swapadm_needs_command" -l glyphs -d 'Signs: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]' -r -f -a "auto\t''
full\t''
blocks\t''
vt\t''
ascii\t''"
complete -c swapadm -n "__fish_swapadm_needs_command" -l screen -d 'The screen to begin with' -r -f -a "overview\t''
devices\t''
compression\t''
mthp\t''
paging\t''
processes\t''
lab\t''
map\t''"
complete -c swapadm -n "__fish_swapadm_needs_command" -l config -d 'Use this file of settings instead of swapadm/config.toml in ~/.config' -r -F
complete -c swapadm -n "__fish_swapadm_needs_command" -l ascii -d 'The same as --glyphs ascii'
complete -c swapadm -n "__fish_swapadm_needs_command" -l no-mouse -d 'Leave the mouse to the terminal'
complete -c swapadm -n "__fish_swapadm_needs_command" -l no-config -d 'Use no file of settings'
complete -c swapadm -n "__fish_swapadm_needs_command" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_needs_command" -s V -l version -d 'Print version'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "status" -d 'The one-page answer to "how is my swap?"'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "advise" -d 'What is wrong with swap here, the figures that show it, and what to do about it'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "devices" -d 'Swap areas: size, use, priority, what carries them'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "groups" -d 'The areas of each priority, and how evenly they are used'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "selection" -d 'Which area is next, by the rules of this kernel, and which would be'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "zram" -d 'zram devices: what they hold in how much memory; and changing them'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "zswap" -d 'zswap: what it holds, and what it turned away'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "mthp" -d 'Large folios by size: how often they are swapped whole or must be split'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "readahead" -d 'Swap readahead: does it pay?'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "paging" -d 'Traffic to and from swap, faults and reclaim'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "processes" -d 'Processes with pages in swap'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "cgroups" -d 'Control groups: swap, limits and pressure'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "pressure" -d 'The share of time in which tasks waited for memory, I/O and processors'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "knobs" -d 'Settings that steer swapping, with range and default'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "numa" -d 'Memory, swap cache and swap devices by NUMA node'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "sources" -d 'What this kernel and these rights let swapadm see, and what to do about the rest'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "report" -d 'Everything, or the tables named'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "clusters" -d 'How the slots of areas are spread over their clusters, and which folios still fit'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "cost" -d 'What areas cost in memory, what others would, and what switching one off would move'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "capture" -d 'Copy what swapadm reads of this machine into a folder, for --sysroot'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "record" -d 'Write snapshots into a file as time goes on'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "watch" -d 'Open the interface, or print its screens as lines'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "replay" -d 'Open a recording in the interface, or print one of its tables as a stream'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "on" -d 'Switch areas on'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "off" -d 'Switch areas off, with what is on them moved to memory and the other areas'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "priority" -d 'Give areas other priorities, which takes them off and puts them on again'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "rebalance" -d 'Put right how areas share the load: says what is wrong, and changes nothing when nothing is'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "format" -d 'Make a swap area of a device or file: write a header with a label and a UUID'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "file" -d 'Swap files: made whole, with their place on the disk, for root only'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "set" -d 'Give settings of the kernel other values'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "reset" -d 'Give settings of the kernel their first values back'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "persist" -d 'What will be otherwise when the machine starts the next time'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "results" -d 'Runs of the stress lab that are kept: list, show, compare and export them'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "journal" -d 'What was changed, and what became of it'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "undo" -d 'Take back what a plan changed'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "recover" -d 'Put right what a crash cut off'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "stress" -d 'Run loads in a cage, and see what the kernel does with them'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "experiment" -d 'Run a load in several cases, and see what makes a difference'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l explain -d 'All about one rule, also when it finds nothing' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -s i -l interval -d 'Go on every so many seconds' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l config -d 'Take the thresholds of this file of settings instead of swapadm/config.toml in ~/.config' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l check -d 'End with 1 when something is wrong, with 7 when it is critical; notes are no fault'
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l rules -d 'All rules: what each looks for, and what came of it'
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -s J -l json -d 'JSON: the findings with their figures, and what came of each rule'
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l no-config -d 'Take the thresholds that hold when nobody says otherwise'
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l node -d 'Only the order of this NUMA node' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l folio -d 'Shares of large folios of this size, such as 64K or 2M, in place of those of single pages' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l with -d 'Also the order as it would be with these priorities: a path, a name, LABEL= or UUID=, and 0 to 32767 or default; nothing is changed' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -s a -l all -d 'Also rows that hold nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -f -a "swap" -d 'Make a zram device, format it and switch it on as swap'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -f -a "add" -d 'Make a zram device'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -f -a "remove" -d 'Remove a zram device'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -f -a "resize" -d 'Give a zram device another size; swap on it is taken off, and comes back as it was'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -f -a "algorithm" -d 'Let a zram device compress otherwise; swap on it is taken off, and comes back as it was'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -f -a "limit" -d 'Limit the memory that a zram device takes, while it is in use'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -f -a "compact" -d 'Let a zram device give back memory that is lost between what it holds'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -f -a "idle" -d 'Mark what a zram device holds as idle, for writeback and recompress'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -f -a "writeback" -d 'Write pages of a zram device to its backing device'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress" -f -a "recompress" -d 'Compress pages of a zram device once more, with an algorithm that compresses better'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s s -l size -d 'Size of the disk, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s a -l algorithm -d 'How it compresses; what the kernel chooses if none is named' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l second-algorithm -d 'Compress with this one what recompress is told to (kernels built for it)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l limit -d 'Take no more memory than this: such as 512M, 2G or 25% of memory' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l backing -d 'Write pages to this device when writeback is told to (kernels built for it)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s p -l priority -d 'From 0 to 32767, or default' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s d -l discard -d 'Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)' -r -f -a "none\t''
once\t''
pages\t''
both\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l label -d 'A label of up to 15 bytes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l force -d 'Take a risk that a check names' -r -f -a "signature\t'what is on the device or in the file is overwritten'
image\t'a machine that sleeps cannot be woken any more'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -s s -l size -d 'Size of the disk, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -s a -l algorithm -d 'How it compresses; what the kernel chooses if none is named' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l second-algorithm -d 'Compress with this one what recompress is told to (kernels built for it)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l limit -d 'Take no more memory than this: such as 512M, 2G or 25% of memory' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l backing -d 'Write pages to this device when writeback is told to (kernels built for it)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l force -d 'Take a risk that a check names' -r -f -a "signature\t'what is on the device or in the file is overwritten'
image\t'a machine that sleeps cannot be woken any more'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l pace -d 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l force -d 'Take a risk that a check names' -r -f -a "memory\t'what is on the area may not fit into memory and the other areas: emptying it is given up before memory runs out, but processes may be killed all the same'
cgroup\t'a control group at its limit may have to kill one of its processes'
promises\t'processes may get no more memory, as too much is promised already'
contents\t'what is on a zram device is lost, though it is not swap'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l pace -d 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l force -d 'Take a risk that a check names' -r -f -a "memory\t'what is on the area may not fit into memory and the other areas: emptying it is given up before memory runs out, but processes may be killed all the same'
cgroup\t'a control group at its limit may have to kill one of its processes'
promises\t'processes may get no more memory, as too much is promised already'
signature\t'what is on the device or in the file is overwritten'
contents\t'what is on a zram device is lost, though it is not swap'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l pace -d 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l force -d 'Take a risk that a check names' -r -f -a "memory\t'what is on the area may not fit into memory and the other areas: emptying it is given up before memory runs out, but processes may be killed all the same'
cgroup\t'a control group at its limit may have to kill one of its processes'
promises\t'processes may get no more memory, as too much is promised already'
signature\t'what is on the device or in the file is overwritten'
contents\t'what is on a zram device is lost, though it is not swap'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l force -d 'Take a risk that a check names' -r -f -a "limit\t'a zram device may take less memory than it takes now, and fails to store more'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l age -d 'Only what was not used for so long: such as 90, 30m or 1h' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l limit -d 'Write no more than this, from now on until the limit is taken away' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l threshold -d 'Only those that take more bytes than this, compressed' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -s a -l algorithm -d 'With this one of the algorithms that the device was given; all of them if none is named' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l pss -d 'Also each process\'s fair share of shared swap; walks its page tables'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l tree -d 'Children below their parents'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l users -d 'By user instead of by process'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s a -l all -d 'Also processes without swap'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s a -l all -d 'Also rows that hold nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s a -l all -d 'Also rows that hold nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l view -d 'Where it comes from, instead of the best there is' -r -f -a "kernel\t'The kernel\'s own memory, by its type information: complete; root'
zram\t'What a zram device has stored; root, debugfs'
tables\t'Page tables of all processes; root'"
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l cluster -d 'Each slot of this cluster of the area, counted from 0; --json for all that is known of each' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l map -d 'Draw each area from its beginning to its end'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l plan -d 'Also areas of these sizes, which are not there yet' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand capture" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand capture" -l scrub -d 'Leave out host, user, process and file names and command lines'
complete -c swapadm -n "__fish_swapadm_using_subcommand capture" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand record" -s i -l interval -d 'Seconds between snapshots' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand record" -s c -l count -d 'Stop after so many snapshots' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand record" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand record" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -s c -l count -d 'Stop after so many samples' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -s i -l interval -d 'Seconds between samples [env: SWAPADM_INTERVAL]' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l color -d 'Colours: auto, true, 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]' -r -f -a "auto\t''
true\t''
256\t''
16\t''
never\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l glyphs -d 'Signs: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]' -r -f -a "auto\t''
full\t''
blocks\t''
vt\t''
ascii\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l screen -d 'The screen to begin with' -r -f -a "overview\t''
devices\t''
compression\t''
mthp\t''
paging\t''
processes\t''
lab\t''
map\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l config -d 'Use this file of settings instead of swapadm/config.toml in ~/.config' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l plain -d 'Print lines instead of drawing: for screen readers, logs and serial lines'
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l ascii -d 'The same as --glyphs ascii'
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l no-mouse -d 'Leave the mouse to the terminal'
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l no-config -d 'Use no file of settings'
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l filter -d 'Show only rows that pass, such as \'used>1G & name~zram\'; a bare word is looked for anywhere' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s i -l interval -d 'Go on every so many seconds, with rates' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s c -l count -d 'Stop after so many' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l at -d 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s J -l json -d 'JSON, in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l csv -d 'Comma-separated values, in base units'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s n -l noheadings -d 'Leave the headings out'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s r -l raw -d 'One blank between columns, nothing dropped, blanks in values written \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s t -l timestamp -d 'Put the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l explain -d 'Say below the table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l help-columns -d 'List the columns with their units and meaning'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s p -l priority -d 'From 0 to 32767, or default' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s d -l discard -d 'Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)' -r -f -a "none\t''
once\t''
pages\t''
both\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s a -l all -d 'All that /etc/fstab names, but for those marked noauto'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l pace -d 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l force -d 'Take a risk that a check names' -r -f -a "memory\t'what is on the area may not fit into memory and the other areas: emptying it is given up before memory runs out, but processes may be killed all the same'
cgroup\t'a control group at its limit may have to kill one of its processes'
promises\t'processes may get no more memory, as too much is promised already'"
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -s a -l all -d 'All that are active'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l pace -d 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l force -d 'Take a risk that a check names' -r -f -a "memory\t'what is on the area may not fit into memory and the other areas: emptying it is given up before memory runs out, but processes may be killed all the same'
cgroup\t'a control group at its limit may have to kill one of its processes'
promises\t'processes may get no more memory, as too much is promised already'"
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l skew -d 'With spread: from which skew on, in percent of what is on areas of one priority; 20 if not said' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l pace -d 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l force -d 'Take a risk that a check names' -r -f -a "memory\t'what is on the area may not fit into memory and the other areas: emptying it is given up before memory runs out, but processes may be killed all the same'
cgroup\t'a control group at its limit may have to kill one of its processes'
promises\t'processes may get no more memory, as too much is promised already'"
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l check -d 'Only look: exit status 1 when something is wrong, 0 when not; needs no rights'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -s L -l label -d 'Its label, of at most 15 bytes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -s U -l uuid -d 'Its UUID, instead of a random one' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l page-size -d 'For a machine whose pages have this size, from 4096 to 65536' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l force -d 'Take a risk that a check names' -r -f -a "signature\t'what is on the device or in the file is overwritten'
image\t'a machine that sleeps cannot be woken any more'"
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and not __fish_seen_subcommand_from create resize remove" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and not __fish_seen_subcommand_from create resize remove" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and not __fish_seen_subcommand_from create resize remove" -f -a "create" -d 'Make a swap file, and perhaps switch it on'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and not __fish_seen_subcommand_from create resize remove" -f -a "resize" -d 'Give a swap file another size, with the same label and UUID; one that is on is off meanwhile'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and not __fish_seen_subcommand_from create resize remove" -f -a "remove" -d 'Remove a swap file; one that is on is switched off first'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s L -l label -d 'Its label, of at most 15 bytes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s U -l uuid -d 'Its UUID, instead of a random one' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l page-size -d 'For a machine whose pages have this size, from 4096 to 65536' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s p -l priority -d 'From 0 to 32767, or default' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s d -l discard -d 'Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)' -r -f -a "none\t''
once\t''
pages\t''
both\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l force -d 'Take a risk that a check names' -r -f -a "signature\t'what is on the device or in the file is overwritten'
image\t'a machine that sleeps cannot be woken any more'
space\t'the file system of a swap file is left with hardly any room'
folder\t'others than root could put another file in the place of a swap file'"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l on -d 'Switch it on as well'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l pace -d 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l force -d 'Take a risk that a check names' -r -f -a "memory\t'what is on the area may not fit into memory and the other areas: emptying it is given up before memory runs out, but processes may be killed all the same'
cgroup\t'a control group at its limit may have to kill one of its processes'
promises\t'processes may get no more memory, as too much is promised already'
signature\t'what is on the device or in the file is overwritten'
space\t'the file system of a swap file is left with hardly any room'
folder\t'others than root could put another file in the place of a swap file'"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l pace -d 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l force -d 'Take a risk that a check names' -r -f -a "memory\t'what is on the area may not fit into memory and the other areas: emptying it is given up before memory runs out, but processes may be killed all the same'
cgroup\t'a control group at its limit may have to kill one of its processes'
promises\t'processes may get no more memory, as too much is promised already'"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l cgroup -d 'Settings of this control group, such as memory.swap.max' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l force -d 'Take a risk that a check names' -r -f -a "reserve\t'so much memory is set aside that processes may be killed for it'
promises\t'processes may get no more memory, as too much is promised already'"
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l cgroup -d 'Limits of this control group, such as memory.swap.max: none any more' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l persist -d 'Let it be so at every start of the machine too'
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and not __fish_seen_subcommand_from check" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and not __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and not __fish_seen_subcommand_from check" -f -a "check" -d 'Compare what runs with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d'
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and __fish_seen_subcommand_from check" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and __fish_seen_subcommand_from check" -s J -l json -d 'As JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -l filter -d 'Show only rows that pass, such as \'elapsed>60 & title~zram\'' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -s J -l json -d 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -l csv -d 'Comma-separated values, in the same units as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -l markdown -d 'Tables for a page or a letter in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -l explain -d 'Say below each table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -s a -l all -d 'Also rows that hold nothing, and those that stand in another table as well'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -f -a "list" -d 'List what is kept, newest first'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -f -a "show" -d 'What a run or an experiment has shown'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -f -a "compare" -d 'Two runs or two experiments, figure by figure: do they differ by more than noise?'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -f -a "export" -d 'Write experiments or runs into a file or to the output, in another form'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -f -a "remove" -d 'Remove results that are kept; an experiment goes with its runs'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -l filter -d 'Show only rows that pass, such as \'elapsed>60 & title~zram\'' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -s J -l json -d 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -l csv -d 'Comma-separated values, in the same units as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -l markdown -d 'Tables for a page or a letter in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -l explain -d 'Say below each table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -s a -l all -d 'Also rows that hold nothing, and those that stand in another table as well'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -l published -d 'Print also what others have published of an experiment, where that is known'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -s J -l json -d 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -l csv -d 'Comma-separated values, in the same units as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -l markdown -d 'Tables for a page or a letter in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -l explain -d 'Say below each table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -s a -l all -d 'Also rows that hold nothing, and those that stand in another table as well'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -s o -l output -d 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -l filter -d 'Show only rows that pass, such as \'elapsed>60 & title~zram\'' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -s J -l json -d 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -l csv -d 'Comma-separated values, in the same units as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -l markdown -d 'Tables for a page or a letter in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -s b -l bytes -d 'Plain numbers of bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -l explain -d 'Say below each table why values are missing'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -s a -l all -d 'Also rows that hold nothing, and those that stand in another table as well'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from export" -l format -d 'The form' -r -f -a "json\t'All of it, as it is kept'
csv\t'Its figures, or the table of an experiment'
markdown\t'Its tables'
html\t'A page with plots, which needs nothing else'"
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from export" -l to -d 'The file to make, instead of the output' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from export" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from export" -l published -d 'Write also what others have published of an experiment; JSON always has it'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from remove" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from remove" -s y -l yes -d 'Do not ask before an experiment is removed with its runs'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand journal" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand journal" -s J -l json -d 'JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand journal" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l force -d 'Take a risk that a check names' -r -f -a "memory\t'what is on the area may not fit into memory and the other areas: emptying it is given up before memory runs out, but processes may be killed all the same'
cgroup\t'a control group at its limit may have to kill one of its processes'
reserve\t'so much memory is set aside that processes may be killed for it'
promises\t'processes may get no more memory, as too much is promised already'
signature\t'what is on the device or in the file is overwritten'
image\t'a machine that sleeps cannot be woken any more'
space\t'the file system of a swap file is left with hardly any room'
folder\t'others than root could put another file in the place of a swap file'
contents\t'what is on a zram device is lost, though it is not swap'
limit\t'a zram device may take less memory than it takes now, and fails to store more'"
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l pace -d 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l dismiss -d 'Close this plan of the journal without repairing it, as when its area is gone for good; its number is shown by swapadm journal' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l timeout -d 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l max-psi -d 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l pace -d 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -s J -l json -d 'The plan and what came of it as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -f -a "run" -d 'Run a load in a cage of its own, and say what the kernel did with it'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -f -a "list" -d 'The loads that are built in, and your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -f -a "show" -d 'Print a load that is built in, as a file to change, or one of your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -f -a "keys" -d 'The keys that a file with a load is made of'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s w -l with -d 'Say something of the load otherwise than it does: KEY=VALUE for all its processes, 2.KEY=VALUE for those of its second group' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s l -l limit -d 'The memory that all its processes may take, 8M or more beside 512K for each: such as 512M, or 25% of what is available' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s z -l zram -d 'Make swap on zram for it, and remove that afterwards: 1G, or 4x1G for four devices' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l file -d 'Make swap in a file for it, and remove that afterwards: 1G, or 2x512M for two files; the kernel reads ahead from files, and from zram hardly ever' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l file-in -d 'The folder of those files [default: /var/tmp]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l algorithm -d 'How those zram devices compress; what the kernel chooses if none is named' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l priority -d 'The priority of those areas: from 0 to 32767, or default' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s s -l set -d 'Set a knob for the time of the run' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s r -l repeat -d 'Run it so often' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l seed -d 'What all chance comes from: the same number gives the same touches and contents' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l min-available -d 'End it when less memory than this is available [default: 5% of memory, 64M to 1G]' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l min-swap -d 'End it when less swap than this is free [default: 1% of swap]' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l title -d 'What the result is called [default: the load]' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l force -d 'Take a risk that a check names' -r -f -a "space\t'the file system of a swap file is left with hardly any room'
folder\t'others than root could put another file in the place of a swap file'"
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l timeout -d 'End it after so long (90, 500ms or 5m) [default: at_most of the load]' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l max-psi -d 'End it when all tasks wait for memory in more than this percentage of 10 seconds, for 5 seconds [default: 20]' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l whole-machine -d 'Run it without a cage, and put the whole machine under pressure'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l no-keep -d 'Do not keep the result'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l usemem-lines -d 'Print the lines that usemem prints, process by process, and no tables'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l dry-run -d 'Show what would be run, on what and with which rails, and run nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s J -l json -d 'What was measured as JSON, with what was checked before'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from list" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from list" -s J -l json -d 'As JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from show" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from keys" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from keys" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -f -a "run" -d 'Run all cases of an experiment, mixed, and say how they differ'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -f -a "list" -d 'The experiments that are built in, and your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -f -a "show" -d 'Print an experiment that is built in, as a file to change, or one of your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -f -a "keys" -d 'The keys that a file with an experiment is made of'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -s l -l limit -d 'The memory that each run may take: such as 512M, or 5% of what is available; areas are made in proportion' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l scale -d 'Make the memory that each run may take so many times as large as the experiment says' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l kind -d 'What carries the areas that are made, where a case does not say it itself: zram, file, or one for each area such as zram,file [default: as the experiment says]' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l file-in -d 'The folder of files that carry areas [default: /var/tmp]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -s r -l repeat -d 'Run each case so often [default: as the experiment says]' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l only -d 'Run only cases in which a factor has one of these values' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l seed -d 'What all chance comes from, the order of the runs too' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l wait -d 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l force -d 'Take a risk that a check names' -r -f -a "space\t'the file system of a swap file is left with hardly any room'
folder\t'others than root could put another file in the place of a swap file'"
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l timeout -d 'End each run after so long (90, 500ms or 5m) [default: at_most of the load]' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l max-psi -d 'End a run when all tasks wait for memory in more than this percentage of 10 seconds, for 5 seconds [default: 20]' -r
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l published -d 'Print also what others have published: of the experiments A to E, and of files that say it'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l no-keep -d 'Do not keep the experiment and the results of its cases'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -s y -l yes -d 'Do not ask'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l dry-run -d 'Show the cases, what they are lent and what stands against them, and run nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -s J -l json -d 'What was measured as JSON, with what was checked before'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from list" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from list" -s J -l json -d 'As JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from show" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from keys" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from keys" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "status" -d 'The one-page answer to "how is my swap?"'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "advise" -d 'What is wrong with swap here, the figures that show it, and what to do about it'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "devices" -d 'Swap areas: size, use, priority, what carries them'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "groups" -d 'The areas of each priority, and how evenly they are used'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "selection" -d 'Which area is next, by the rules of this kernel, and which would be'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "zram" -d 'zram devices: what they hold in how much memory; and changing them'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "zswap" -d 'zswap: what it holds, and what it turned away'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "mthp" -d 'Large folios by size: how often they are swapped whole or must be split'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "readahead" -d 'Swap readahead: does it pay?'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "paging" -d 'Traffic to and from swap, faults and reclaim'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "processes" -d 'Processes with pages in swap'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "cgroups" -d 'Control groups: swap, limits and pressure'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "pressure" -d 'The share of time in which tasks waited for memory, I/O and processors'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "knobs" -d 'Settings that steer swapping, with range and default'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "numa" -d 'Memory, swap cache and swap devices by NUMA node'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "sources" -d 'What this kernel and these rights let swapadm see, and what to do about the rest'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "report" -d 'Everything, or the tables named'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "clusters" -d 'How the slots of areas are spread over their clusters, and which folios still fit'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "cost" -d 'What areas cost in memory, what others would, and what switching one off would move'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "capture" -d 'Copy what swapadm reads of this machine into a folder, for --sysroot'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "record" -d 'Write snapshots into a file as time goes on'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "watch" -d 'Open the interface, or print its screens as lines'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "replay" -d 'Open a recording in the interface, or print one of its tables as a stream'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "on" -d 'Switch areas on'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "off" -d 'Switch areas off, with what is on them moved to memory and the other areas'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "priority" -d 'Give areas other priorities, which takes them off and puts them on again'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "rebalance" -d 'Put right how areas share the load: says what is wrong, and changes nothing when nothing is'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "format" -d 'Make a swap area of a device or file: write a header with a label and a UUID'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "file" -d 'Swap files: made whole, with their place on the disk, for root only'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "set" -d 'Give settings of the kernel other values'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "reset" -d 'Give settings of the kernel their first values back'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "persist" -d 'What will be otherwise when the machine starts the next time'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "results" -d 'Runs of the stress lab that are kept: list, show, compare and export them'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "journal" -d 'What was changed, and what became of it'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "undo" -d 'Take back what a plan changed'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "recover" -d 'Put right what a crash cut off'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "stress" -d 'Run loads in a cage, and see what the kernel does with them'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "experiment" -d 'Run a load in several cases, and see what makes a difference'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status advise devices groups selection zram zswap mthp readahead paging processes cgroups pressure knobs numa sources report clusters cost capture record watch replay on off priority rebalance format file set reset persist results journal undo recover stress experiment help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "swap" -d 'Make a zram device, format it and switch it on as swap'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "add" -d 'Make a zram device'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "remove" -d 'Remove a zram device'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "resize" -d 'Give a zram device another size; swap on it is taken off, and comes back as it was'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "algorithm" -d 'Let a zram device compress otherwise; swap on it is taken off, and comes back as it was'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "limit" -d 'Limit the memory that a zram device takes, while it is in use'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "compact" -d 'Let a zram device give back memory that is lost between what it holds'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "idle" -d 'Mark what a zram device holds as idle, for writeback and recompress'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "writeback" -d 'Write pages of a zram device to its backing device'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "recompress" -d 'Compress pages of a zram device once more, with an algorithm that compresses better'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from file" -f -a "create" -d 'Make a swap file, and perhaps switch it on'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from file" -f -a "resize" -d 'Give a swap file another size, with the same label and UUID; one that is on is off meanwhile'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from file" -f -a "remove" -d 'Remove a swap file; one that is on is switched off first'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from persist" -f -a "check" -d 'Compare what runs with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "list" -d 'List what is kept, newest first'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "show" -d 'What a run or an experiment has shown'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "compare" -d 'Two runs or two experiments, figure by figure: do they differ by more than noise?'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "export" -d 'Write experiments or runs into a file or to the output, in another form'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "remove" -d 'Remove results that are kept; an experiment goes with its runs'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from stress" -f -a "run" -d 'Run a load in a cage of its own, and say what the kernel did with it'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from stress" -f -a "list" -d 'The loads that are built in, and your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from stress" -f -a "show" -d 'Print a load that is built in, as a file to change, or one of your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from stress" -f -a "keys" -d 'The keys that a file with a load is made of'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from experiment" -f -a "run" -d 'Run all cases of an experiment, mixed, and say how they differ'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from experiment" -f -a "list" -d 'The experiments that are built in, and your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from experiment" -f -a "show" -d 'Print an experiment that is built in, as a file to change, or one of your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from experiment" -f -a "keys" -d 'The keys that a file with an experiment is made of'
