# Completes the last word of a list such as name,-used or +size.
function __swapadm_list
    set -l head (commandline -ct | string replace -r '^--?[a-z]+=' '' | string match -r '^(?:.*,)?[+-]?')
    for word in $argv
        echo $head$word
    end
end

function __swapadm_names
    swapadm $argv[1] --raw --noheadings --output name 2>/dev/null | grep -v '[\\"]'
end

# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_swapadm_global_optspecs
    string join \n sysroot= recording= machine= at= i/interval= color= theme= glyphs= ascii screen= no-mouse config= no-config h/help V/version
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
complete -c swapadm -n "__fish_swapadm_needs_command" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_needs_command" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_needs_command" -s i -l interval -d 'Seconds between samples [env: SWAPADM_INTERVAL]' -r -f
complete -c swapadm -n "__fish_swapadm_needs_command" -l color -d 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]' -r -f -a "auto\t''
always\t''
true\t''
256\t''
16\t''
never\t''"
complete -c swapadm -n "__fish_swapadm_needs_command" -l theme -d 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]' -r -f -a "dark\t''
light\t''
contrast\t''
terminal\t''"
complete -c swapadm -n "__fish_swapadm_needs_command" -l glyphs -d 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]' -r -f -a "auto\t''
full\t''
blocks\t''
vt\t''
ascii\t''"
complete -c swapadm -n "__fish_swapadm_needs_command" -l screen -d 'Screen to open first' -r -f -a "overview\t''
devices\t''
compression\t''
mthp\t''
paging\t''
processes\t''
lab\t''
map\t''
learn\t''"
complete -c swapadm -n "__fish_swapadm_needs_command" -l config -d 'Use this settings file instead of ~/.config/swapadm/config.toml' -r -F
complete -c swapadm -n "__fish_swapadm_needs_command" -l ascii -d 'Draw with ASCII only, as --glyphs ascii'
complete -c swapadm -n "__fish_swapadm_needs_command" -l no-mouse -d 'Leave the mouse to the terminal'
complete -c swapadm -n "__fish_swapadm_needs_command" -l no-config -d 'Use no settings file'
complete -c swapadm -n "__fish_swapadm_needs_command" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_needs_command" -s V -l version -d 'Print version'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list state severity areas swap_total swap_used use swap_cached mem_total mem_available in_rate out_rate major_fault_rate memory_some memory_full io_some io_full readahead_hit_rate imbalance interrupted zram_data zram_memory zswap_stored zswap_pool)"
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list state severity areas swap_total swap_used use swap_cached mem_total mem_available in_rate out_rate major_fault_rate memory_some memory_full io_some io_full readahead_hit_rate imbalance interrupted zram_data zram_memory zswap_stored zswap_pool)"
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l filter -d 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand status" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list name kind priority size used free use share equal_share growth full_in growing growth_share in_rate out_rate read_wait write_wait busy memory_ratio rotational discard discard_max node device parent disks scheduler model backing_file dm_name extents first_page label uuid header_page deleted type)"
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list name kind priority size used free use share equal_share growth full_in growing growth_share in_rate out_rate read_wait write_wait busy memory_ratio rotational discard discard_max node device parent disks scheduler model backing_file dm_name extents first_page label uuid header_page deleted type)"
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l filter -d 'Show only matching rows, such as \'size>1M\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand devices" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list priority areas size used use growth state imbalance balance names)"
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list priority areas size used use growth state imbalance balance names)"
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l filter -d 'Show only matching rows, such as \'areas>1\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand groups" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list name algorithm disksize data orig compressed memory overhead ratio memory_ratio same huge huge_since limit memory_if_full memory_max compacted written_back bd_reads bd_writes backing_dev writeback_limit writeback_limit_on writeback_batch writeback_compressed failed_reads failed_writes invalid_io notify_free write_stalls miss_free algorithms recompress streams age initialised swap_priority swap_used)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list name algorithm disksize data orig compressed memory overhead ratio memory_ratio same huge huge_since limit memory_if_full memory_max compacted written_back bd_reads bd_writes backing_dev writeback_limit writeback_limit_on writeback_batch writeback_compressed failed_reads failed_writes invalid_io notify_free write_stalls miss_free algorithms recompress streams age initialised swap_priority swap_used)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -l filter -d 'Show only matching rows, such as \'disksize>1M\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -s a -l all -d 'Include empty rows'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -f -a "swap" -d 'Create a zram device and enable it as swap'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -f -a "add" -d 'Create a zram device without swap on it (zram swap creates one and enables it)'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -f -a "remove" -d 'Remove a zram device'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -f -a "resize" -d 'Resize a zram device; swap on it is disabled meanwhile'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -f -a "algorithm" -d 'Change the compression algorithm of a zram device; swap on it is disabled meanwhile'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -f -a "limit" -d 'Limit the memory of a zram device, also while it is in use'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -f -a "compact" -d 'Make a zram device return fragmented memory'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -f -a "idle" -d 'Mark pages of a zram device as idle, for writeback and recompress'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -f -a "writeback" -d 'Write pages of a zram device to its backing device'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -f -a "recompress" -d 'Compress pages of a zram device again with its second algorithm'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and not __fish_seen_subcommand_from swap add remove resize algorithm limit compact idle writeback recompress upkeep" -f -a "upkeep" -d 'Do a round of upkeep: mark idle pages, recompress, write back within a budget, compact'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s s -l size -d 'Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s a -l algorithm -d 'Compression algorithm [default: chosen by the kernel]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l second-algorithm -d 'Secondary algorithm for recompress (if the kernel supports recompression)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l limit -d 'Memory limit, such as 512M, 2G or 25% of memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l backing -d 'Backing device for writeback (if the kernel supports writeback)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s p -l priority -d 'Priority: 0 to 32767, or default (assigned by the kernel)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s d -l discard -d 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given' -r -f -a "none\t''
once\t''
pages\t''
both\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l label -d 'Label, at most 15 bytes' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l force -d 'Accept a risk that a check names' -r -f -a "signature\t'the contents of the device or file are overwritten'
image\t'a hibernated system can no longer be resumed'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from swap" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -s s -l size -d 'Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -s a -l algorithm -d 'Compression algorithm [default: chosen by the kernel]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l second-algorithm -d 'Secondary algorithm for recompress (if the kernel supports recompression)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l limit -d 'Memory limit, such as 512M, 2G or 25% of memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l backing -d 'Backing device for writeback (if the kernel supports writeback)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l force -d 'Accept a risk that a check names' -r -f -a "signature\t'the contents of the device or file are overwritten'
image\t'a hibernated system can no longer be resumed'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from add" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l force -d 'Accept a risk that a check names' -r -f -a "contents\t'data on a zram device that is not used as swap is lost'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l pace -d 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l force -d 'Accept a risk that a check names' -r -f -a "memory\t'the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed'
cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
overcommit\t'allocations may fail because too much memory is committed already'
reads\t'pages that a failing device cannot read are lost, and the kernel kills the processes that use them'
signature\t'the contents of the device or file are overwritten'
contents\t'data on a zram device that is not used as swap is lost'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from resize" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l pace -d 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l force -d 'Accept a risk that a check names' -r -f -a "memory\t'the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed'
cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
overcommit\t'allocations may fail because too much memory is committed already'
reads\t'pages that a failing device cannot read are lost, and the kernel kills the processes that use them'
signature\t'the contents of the device or file are overwritten'
contents\t'data on a zram device that is not used as swap is lost'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from algorithm" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l force -d 'Accept a risk that a check names' -r -f -a "limit\t'a zram device gets a limit below its present memory use, so writes to it fail'"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from limit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -l timeout -d 'Stop after TIME (in seconds, or such as 5m); what is done stays' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from compact" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l age -d 'Only pages not used for TIME, such as 90, 30m or 1h' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l timeout -d 'Stop after TIME (in seconds, or such as 5m); what is done stays' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from idle" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l limit -d 'Set the writeback limit of the device; it stays until changed' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l timeout -d 'Stop after TIME (in seconds, or such as 5m); what is done stays' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from writeback" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l threshold -d 'Only pages whose compressed size is above BYTES' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -s a -l algorithm -d 'Use this second algorithm of the device [default: all of them]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l timeout -d 'Stop after TIME (in seconds, or such as 5m); what is done stays' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from recompress" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -l policy -d 'Take the policy from the upkeep table of a file that apply reads [default: /etc/swapadm/wanted.toml, if it exists]' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -l age -d 'Pages not used for TIME, such as 90, 30m or 1h, count as idle [default: that of the policy, or 1h]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -l budget -d 'Write idle and incompressible pages to the backing device, at most SIZE in 24 hours for each device [default: that of the policy]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -l compact-from -d 'Compact a device if this share of its memory is fragmented [default: that of the policy, or 10]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -l timeout -d 'Stop after TIME (in seconds, or such as 5m); what is done stays' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand zram; and __fish_seen_subcommand_from upkeep" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list enabled compressor zpool pool limit max_pool_percent fill stored used_share ratio accept_threshold shrinker same_filled non_same_filled pool_total_size stored_pages pool_limit_hit written_back same_pages incompressible duplicate_entry reject_reclaim_fail reject_alloc_fail reject_kmemcache_fail reject_compress_poor reject_compress_fail decompress_fail in_rate out_rate writeback_rate)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list enabled compressor zpool pool limit max_pool_percent fill stored used_share ratio accept_threshold shrinker same_filled non_same_filled pool_total_size stored_pages pool_limit_hit written_back same_pages incompressible duplicate_entry reject_reclaim_fail reject_alloc_fail reject_kmemcache_fail reject_compress_poor reject_compress_fail decompress_fail in_rate out_rate writeback_rate)"
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l filter -d 'Show only matching rows, such as \'pool>1M\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand zswap" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list in_rate out_rate device_in device_out zswap_in zswap_out zswap_writeback zero_in zero_out io_in io_out major_fault_rate scan_kswapd scan_direct steal_kswapd steal_direct scan_khugepaged steal_khugepaged scan_proactive steal_proactive demotions promotions rotated_anon rotated_file kswapd_efficiency direct_efficiency direct_share kswapd_share steal_cgroups reclaimer refault_rate activations restores refault_file_rate restores_file stalls oom_kill_rate pswpin pswpout zswpin zswpout zswpwb swpin_zero swpout_zero ksm_swpin_copy pages_per_read pages_per_write pgmajfault oom_kill in_since_boot out_since_boot)"
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list in_rate out_rate device_in device_out zswap_in zswap_out zswap_writeback zero_in zero_out io_in io_out major_fault_rate scan_kswapd scan_direct steal_kswapd steal_direct scan_khugepaged steal_khugepaged scan_proactive steal_proactive demotions promotions rotated_anon rotated_file kswapd_efficiency direct_efficiency direct_share kswapd_share steal_cgroups reclaimer refault_rate activations restores refault_file_rate restores_file stalls oom_kill_rate pswpin pswpout zswpin zswpout zswpwb swpin_zero swpout_zero ksm_swpin_copy pages_per_read pages_per_write pgmajfault oom_kill in_since_boot out_since_boot)"
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l filter -d 'Show only matching rows, such as \'in_rate>1M\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand paging" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list pid ppid user uid swap uses bound swap_share swapped_share rss shmem swap_pss swap_mapped pss run_wait run_wait_share block_wait block_wait_share swap_wait swap_wait_share major_faults major_fault_rate cgroup name command)"
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list pid ppid user uid swap uses bound swap_share swapped_share rss shmem swap_pss swap_mapped pss run_wait run_wait_share block_wait block_wait_share swap_wait swap_wait_share major_faults major_fault_rate cgroup name command)"
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l filter -d 'Show only matching rows, such as \'pid>1\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l pss -d 'Add the proportional share of swap; reads the page tables of each process'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l tree -d 'Show children below their parents'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l users -d 'Sum by user instead of listing processes'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s a -l all -d 'Include processes without swap'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand processes" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and not __fish_seen_subcommand_from show swapin" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and not __fish_seen_subcommand_from show swapin" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and not __fish_seen_subcommand_from show swapin" -f -a "show" -d 'Show memory, swap, waits, cgroup and mappings of a process; reads its page tables'
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and not __fish_seen_subcommand_from show swapin" -f -a "swapin" -d 'Bring the private pages of a process back from swap, if memory and its cgroup have room'
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from show" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from show" -s a -l all -d 'Include mappings, or the processes of a cgroup, without swap'
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from show" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from show" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from swapin" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from swapin" -l timeout -d 'Stop after TIME (in seconds, or such as 5m); what is done stays' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from swapin" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from swapin" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from swapin" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from swapin" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from swapin" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand process; and __fish_seen_subcommand_from swapin" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list swap swap_max swap_high swap_peak memory memory_peak memory_max memory_high memory_min memory_low oom_group limit limit_use memsw memsw_peak memsw_max memsw_fail swappiness swap_tiers zswap zswap_max zswap_writeback zswapped zswap_incomp swapcached anon in_rate out_rate pswpin pswpout zswpin zswpout zswpwb zswpwb_proactive swpin_zero swpout_zero thp_swpout thp_swpout_fallback refaults refault_rate scanned reclaimed major_faults some10 some60 some300 some_total full10 full60 full300 full_total swap_fail swap_max_hits swap_high_hits oom_kills own_oom_kills low_hits memory_high_hits memory_max_hits ooms under_oom runtime container pod container_name pod_name namespace not_read path)"
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list swap swap_max swap_high swap_peak memory memory_peak memory_max memory_high memory_min memory_low oom_group limit limit_use memsw memsw_peak memsw_max memsw_fail swappiness swap_tiers zswap zswap_max zswap_writeback zswapped zswap_incomp swapcached anon in_rate out_rate pswpin pswpout zswpin zswpout zswpwb zswpwb_proactive swpin_zero swpout_zero thp_swpout thp_swpout_fallback refaults refault_rate scanned reclaimed major_faults some10 some60 some300 some_total full10 full60 full300 full_total swap_fail swap_max_hits swap_high_hits oom_kills own_oom_kills low_hits memory_high_hits memory_max_hits ooms under_oom runtime container pod container_name pod_name namespace not_read path)"
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l filter -d 'Show only matching rows, such as \'swap>1M\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s a -l all -d 'Include empty rows'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroups" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and not __fish_seen_subcommand_from show reclaim" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and not __fish_seen_subcommand_from show reclaim" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and not __fish_seen_subcommand_from show reclaim" -f -a "show" -d 'Show usage, limits, events, container, processes, NUMA nodes and LRU ages of a cgroup'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and not __fish_seen_subcommand_from show reclaim" -f -a "reclaim" -d 'Reclaim memory of a cgroup, the coldest pages first (memory.reclaim: cgroup v2, kernel 5.19 and later)'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from show" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from show" -s a -l all -d 'Include mappings, or the processes of a cgroup, without swap'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from show" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from show" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from reclaim" -l source -d 'Source: cold memory, or the zswap pool of the cgroup, which is written to the areas behind it (no release can do the latter yet)' -r -f -a "memory\t'Cold memory'
zswap\t'The zswap pool'"
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from reclaim" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from reclaim" -l timeout -d 'Stop after TIME (in seconds, or such as 5m); what is done stays' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from reclaim" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from reclaim" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from reclaim" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from reclaim" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from reclaim" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand cgroup; and __fish_seen_subcommand_from reclaim" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list resource kind now avg10 avg60 avg300 total)"
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list resource kind now avg10 avg60 avg300 total)"
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l filter -d 'Show only matching rows, such as \'avg10>10%\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand pressure" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list size enabled shmem_enabled swpout zswpout swpout_fallback fail_rate swpout_rate fallback_rate fail_rate_now swpin swpin_fallback swpin_fallback_charge nr_anon nr_anon_partially_mapped anon_fault_alloc anon_fault_fallback anon_fault_fallback_charge shmem_alloc shmem_fallback shmem_fallback_charge split split_failed split_deferred collapse_alloc collapse_alloc_failed collapse_exceed_swap_pte collapse_exceed_none_pte collapse_exceed_shared_pte fallback_cause certainty)"
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list size enabled shmem_enabled swpout zswpout swpout_fallback fail_rate swpout_rate fallback_rate fail_rate_now swpin swpin_fallback swpin_fallback_charge nr_anon nr_anon_partially_mapped anon_fault_alloc anon_fault_fallback anon_fault_fallback_charge shmem_alloc shmem_fallback shmem_fallback_charge split split_failed split_deferred collapse_alloc collapse_alloc_failed collapse_exceed_swap_pte collapse_exceed_none_pte collapse_exceed_shared_pte fallback_cause certainty)"
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l filter -d 'Show only matching rows, such as \'size>1M\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand mthp" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list mode only_zram page_cluster window_limit ahead_rate hits_rate hit_rate wasted_rate share_of_reads window ahead_boot hits_boot hit_rate_boot wasted_boot share_of_reads_boot window_boot swapoff_running)"
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list mode only_zram page_cluster window_limit ahead_rate hits_rate hit_rate wasted_rate share_of_reads window ahead_boot hits_boot hit_rate_boot wasted_boot share_of_reads_boot window_boot swapoff_running)"
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l filter -d 'Show only matching rows, such as \'page_cluster>1\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand readahead" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l view -d 'Use this source instead of the best available one' -r -f -a "kernel\t'Kernel memory, read with BTF type information: complete; needs root'
zram\t'The block state of zram devices; needs root and debugfs'
tables\t'Page tables of all processes; needs root'"
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l cluster -d 'Show each slot of this cluster of the area, counted from 0; --json adds all that is known' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list name deleted view why_not_kernel not_covered cluster_size clusters free partly full list_free list_nonfull list_frag list_full list_discard list_none largest_run fragmentation used coverage incomplete_reason cpu_time used_change free_change allocated emptied filled changed list_free_change list_nonfull_change list_frag_change list_full_change list_discard_change list_none_change)"
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list name deleted view why_not_kernel not_covered cluster_size clusters free partly full list_free list_nonfull list_frag list_full list_discard list_none largest_run fragmentation used coverage incomplete_reason cpu_time used_change free_change allocated emptied filled changed list_free_change list_nonfull_change list_frag_change list_full_change list_discard_change list_none_change)"
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l filter -d 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l map -d 'Draw a map of each area'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list node cpus total free mark_min mark_low mark_high anon file shmem swap_cached scan_rate distance devices)"
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list node cpus total free mark_min mark_low mark_high anon file shmem swap_cached scan_rate distance devices)"
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l filter -d 'Show only matching rows, such as \'node>1\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand numa" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list name value default range changed file description)"
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list name value default range changed file description)"
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l filter -d 'Show only matching rows, such as \'name~swap\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand knobs" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l filter -d 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s a -l all -d 'Include empty rows'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand metrics" -l textfile -d 'Write the metrics to FILE for the textfile collector of node_exporter' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand metrics" -l listen -d 'Answer scrapes at http://ADDRESS/metrics: a port, for this machine only, or IP:PORT' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand metrics" -l cgroup -d 'Include this cgroup, such as /system.slice/db.service; can be given several times' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand metrics" -l process -d 'Include the sum of all processes with this name; can be given several times' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand metrics" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand metrics" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand metrics" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand metrics" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand metrics" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l picture -d 'Write a picture of the screen to FILE as SVG instead of opening the interface' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l size -d 'Columns and rows of the picture, from 30x6 to 400x200' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -s c -l count -d 'Stop after N samples; a picture takes 2 of a live machine, and all of a recording' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -s i -l interval -d 'Seconds between samples [env: SWAPADM_INTERVAL]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l color -d 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]' -r -f -a "auto\t''
always\t''
true\t''
256\t''
16\t''
never\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l theme -d 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]' -r -f -a "dark\t''
light\t''
contrast\t''
terminal\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l glyphs -d 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]' -r -f -a "auto\t''
full\t''
blocks\t''
vt\t''
ascii\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l screen -d 'Screen to open first' -r -f -a "overview\t''
devices\t''
compression\t''
mthp\t''
paging\t''
processes\t''
lab\t''
map\t''
learn\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l config -d 'Use this settings file instead of ~/.config/swapadm/config.toml' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l plain -d 'Print lines instead of drawing, for screen readers, logs and serial consoles'
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l ascii -d 'Draw with ASCII only, as --glyphs ascii'
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l no-mouse -d 'Leave the mouse to the terminal'
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -l no-config -d 'Use no settings file'
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l explain -d 'Explain one rule, also if it finds nothing' -r -f -a "memory-pressure\t''
oom-kills\t''
cgroup-swap\t''
interrupted\t''
swap-full\t''
no-swap\t''
zram-limit\t''
mixed-priority\t''
faster-behind\t''
rotational-equal\t''
one-by-one\t''
unbalanced\t''
lru-inversion\t''
zswap-zram\t''
zswap-bypassed\t''
zram-ratio\t''
zram-huge\t''
folios-split\t''
readahead-wasted\t''
readahead-device\t''
readahead-zram\t''
swappiness\t''
swapoff-fit\t''
metadata\t''
area-small\t''
fragmented\t''
hibernation\t''
discard\t''
boot-priority\t''
boot-stale\t''
idle\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -s i -l interval -d 'Repeat every SECS seconds' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l config -d 'Read thresholds from this settings file instead of ~/.config/swapadm/config.toml' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l check -d 'Exit with 1 for warnings, with 7 for critical findings; notes do not count'
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l rules -d 'List all rules: what each checks, and its result'
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -s J -l json -d 'Print findings with their figures, and the result of each rule, as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -l no-config -d 'Use the default thresholds'
complete -c swapadm -n "__fish_swapadm_using_subcommand advise" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l node -d 'Show only the order of this NUMA node' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l cgroup -d 'Show only areas that this cgroup may use, on kernels with swap tiers (no release has them yet)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l folio -d 'Show shares of large folios of this size, such as 64K or 2M, instead of single pages' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l with -d 'Also show the order with these priorities: AREA is a path, a name, LABEL= or UUID=, N is 0 to 32767 or default; changes nothing' -r -f -a "(__swapadm_names devices)"
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list case node position name priority effective priority_source group rotation_slots next_share group_share free starts_after full_after large_folios large_folios_why state tier allocation_order order_evidence rotation_unit rotation_evidence cluster_slots folio pitfalls severity explanation)"
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list case node position name priority effective priority_source group rotation_slots next_share group_share free starts_after full_after large_folios large_folios_why state tier allocation_order order_evidence rotation_unit rotation_evidence cluster_slots folio pitfalls severity explanation)"
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l filter -d 'Show only matching rows, such as \'position>1\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand selection" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -l kernel -d 'Model this kernel: 4.13, 5.10, 6.1, 6.12, 6.18 or 7.2, or one with a single design changed, such as 6.12+scan-one; swapadm-what-if(8) lists them' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -l priority -d 'Use these priorities: AREA is a path, a name, LABEL= or UUID=, N is 0 to 32767 or default' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -l add -d 'Add an area: its size and device (zram, ssd, nvme, disk, file or file-on-disk), and if wanted its priority and NUMA node, such as 16G@nvme,priority=5,node=1' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -l load -d 'Assume this workload: a built-in one, one of your own by its name, or a file (a path with a / or .toml) [default: processes that fill swap]' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -l rate -d 'Growth of used swap per second, such as 10M [default: measured on this machine, or in the recording]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -l like-now -d 'Assume the swap traffic of this machine, measured for 3 seconds, or that of a recording'
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -s J -l json -d 'Print the tables as JSON, with all columns'
complete -c swapadm -n "__fish_swapadm_using_subcommand what-if" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l plan -d 'Also estimate areas of these sizes' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list name size metadata_fixed metadata metadata_full zram_table zram_entry zram_entry_source memory memory_full stored zswap_slots swapoff_moves swapoff_memory swapoff_other_areas swapoff_memory_min swapoff_fits)"
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list name size metadata_fixed metadata metadata_full zram_table zram_entry zram_entry_source memory memory_full stored zswap_slots swapoff_moves swapoff_memory swapoff_other_areas swapoff_memory_min swapoff_fits)"
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l filter -d 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand cost" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f -a "(__swapadm_list source state denied failed absent absent_reasons description why remedy files)"
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f -a "(__swapadm_list source state denied failed absent absent_reasons description why remedy files)"
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s i -l interval -d 'Repeat every SECS seconds, with rates' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l filter -d 'Show only matching rows, such as \'denied>1\'; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand sources" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -l profile -d 'Kind of machine [default: guessed from battery, desktop, programs and board]' -r -f -a "desktop\t'a person works on it'
server\t'it serves others'
database\t'a database uses most of its memory'
container-host\t'it runs containers'
small-board\t'a board with little memory and a flash card'"
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -l with -d 'Choose a value, such as compression=zram, size=4G, disk=8G or boot=no; can be repeated' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -l pace -d 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -l force -d 'Accept a risk that a check names' -r -f -a "memory\t'the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed'
cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
overcommit\t'allocations may fail because too much memory is committed already'
reads\t'pages that a failing device cannot read are lost, and the kernel kills the processes that use them'
signature\t'the contents of the device or file are overwritten'
image\t'a hibernated system can no longer be resumed'
space\t'the file system of a swap file is left almost full'
folder\t'users other than root could replace the swap file'
contents\t'data on a zram device that is not used as swap is lost'
loop\t'a loop device does not exist yet at boot: the boot waits for it, or enables another device of its name'
network\t'a network disk is not connected yet when swap is enabled at boot: the boot waits for it'"
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -l no-sample -d 'Do not read memory of processes to measure the compression ratio'
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand setup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -l pace -d 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -l force -d 'Accept a risk that a check names' -r -f -a "memory\t'the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed'
cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
reserve\t'processes may be killed because the kernel keeps too much memory free or protected'
overcommit\t'allocations may fail because too much memory is committed already'
reads\t'pages that a failing device cannot read are lost, and the kernel kills the processes that use them'
signature\t'the contents of the device or file are overwritten'
image\t'a hibernated system can no longer be resumed'
space\t'the file system of a swap file is left almost full'
folder\t'users other than root could replace the swap file'
contents\t'data on a zram device that is not used as swap is lost'
limit\t'a zram device gets a limit below its present memory use, so writes to it fail'
loop\t'a loop device does not exist yet at boot: the boot waits for it, or enables another device of its name'
network\t'a network disk is not connected yet when swap is enabled at boot: the boot waits for it'"
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -l check -d 'Change nothing; exit with 1 if something differs'
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -l diff -d 'Change nothing, and show present (-) and wanted (+) values; exit with 1 if something differs'
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand apply" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand save" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand save" -l boot -d 'Print the state after the next boot, as configuration files have it'
complete -c swapadm -n "__fish_swapadm_using_subcommand save" -l cgroups -d 'Include the limits of cgroups'
complete -c swapadm -n "__fish_swapadm_using_subcommand save" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s p -l priority -d 'Priority: 0 to 32767, or default (assigned by the kernel)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s d -l discard -d 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given' -r -f -a "none\t''
once\t''
pages\t''
both\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l force -d 'Accept a risk that a check names' -r -f -a "loop\t'a loop device does not exist yet at boot: the boot waits for it, or enables another device of its name'
network\t'a network disk is not connected yet when swap is enabled at boot: the boot waits for it'"
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s a -l all -d 'Enable all swap areas in /etc/fstab, except those marked noauto'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand on" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l pace -d 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l force -d 'Accept a risk that a check names' -r -f -a "memory\t'the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed'
cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
overcommit\t'allocations may fail because too much memory is committed already'
reads\t'pages that a failing device cannot read are lost, and the kernel kills the processes that use them'"
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -s a -l all -d 'Disable all active areas'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l pace -d 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l force -d 'Accept a risk that a check names' -r -f -a "memory\t'the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed'
cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
overcommit\t'allocations may fail because too much memory is committed already'
reads\t'pages that a failing device cannot read are lost, and the kernel kills the processes that use them'
loop\t'a loop device does not exist yet at boot: the boot waits for it, or enables another device of its name'
network\t'a network disk is not connected yet when swap is enabled at boot: the boot waits for it'"
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l skew -d 'With spread: correct an imbalance of PERCENT or more; swapadm groups shows it [default: 20]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l pace -d 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l force -d 'Accept a risk that a check names' -r -f -a "memory\t'the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed'
cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
overcommit\t'allocations may fail because too much memory is committed already'
reads\t'pages that a failing device cannot read are lost, and the kernel kills the processes that use them'
loop\t'a loop device does not exist yet at boot: the boot waits for it, or enables another device of its name'
network\t'a network disk is not connected yet when swap is enabled at boot: the boot waits for it'"
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l check -d 'Only check: exit status 1 if rebalancing is needed, else 0; needs no root'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l cgroup -d 'Change settings of this cgroup, such as memory.swap.max' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l force -d 'Accept a risk that a check names' -r -f -a "cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
reserve\t'processes may be killed because the kernel keeps too much memory free or protected'
overcommit\t'allocations may fail because too much memory is committed already'"
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l cgroup -d 'Remove limits of this cgroup, such as memory.swap.max' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and not __fish_seen_subcommand_from check" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and not __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and not __fish_seen_subcommand_from check" -f -a "check" -d 'Compare the running machine with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d'
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and __fish_seen_subcommand_from check" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and __fish_seen_subcommand_from check" -s J -l json -d 'Print JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand persist; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand journal" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand journal" -s J -l json -d 'Print JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand journal" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l force -d 'Accept a risk that a check names' -r -f -a "memory\t'the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed'
cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
reserve\t'processes may be killed because the kernel keeps too much memory free or protected'
overcommit\t'allocations may fail because too much memory is committed already'
reads\t'pages that a failing device cannot read are lost, and the kernel kills the processes that use them'
signature\t'the contents of the device or file are overwritten'
image\t'a hibernated system can no longer be resumed'
space\t'the file system of a swap file is left almost full'
folder\t'users other than root could replace the swap file'
contents\t'data on a zram device that is not used as swap is lost'
limit\t'a zram device gets a limit below its present memory use, so writes to it fail'
loop\t'a loop device does not exist yet at boot: the boot waits for it, or enables another device of its name'
network\t'a network disk is not connected yet when swap is enabled at boot: the boot waits for it'"
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l pace -d 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand undo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l dismiss -d 'Close this plan without repairing it, if its area is gone for good; swapadm journal lists the numbers of plans' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l force -d 'Accept a risk that a check names' -r -f -a "memory\t'the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed'
cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
reserve\t'processes may be killed because the kernel keeps too much memory free or protected'
overcommit\t'allocations may fail because too much memory is committed already'
reads\t'pages that a failing device cannot read are lost, and the kernel kills the processes that use them'
signature\t'the contents of the device or file are overwritten'
image\t'a hibernated system can no longer be resumed'
space\t'the file system of a swap file is left almost full'
folder\t'users other than root could replace the swap file'
contents\t'data on a zram device that is not used as swap is lost'
limit\t'a zram device gets a limit below its present memory use, so writes to it fail'
loop\t'a loop device does not exist yet at boot: the boot waits for it, or enables another device of its name'
network\t'a network disk is not connected yet when swap is enabled at boot: the boot waits for it'"
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l pace -d 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l timeout -d 'Stop after TIME (in seconds, or such as 5m); what is done stays' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand recover" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -f -a "run" -d 'Run a workload under a memory limit, and measure how the kernel swaps'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -f -a "list" -d 'List built-in workloads and your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -f -a "show" -d 'Print a workload as a file to edit'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and not __fish_seen_subcommand_from run list show keys" -f -a "keys" -d 'Explain the keys of a workload file'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s w -l with -d 'Change a key of the workload: KEY=VALUE for all its processes, 2.KEY=VALUE for those of its second group of processes' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s l -l limit -d 'Memory limit of all processes together, such as 512M or 25% of available memory; at least 8M plus 512K for each process' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s z -l zram -d 'Add temporary swap on zram: 1G, or 4x1G for four devices [default: 1G if no swap is active]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l file -d 'Add a temporary swap file: 1G, or 2x512M for two files; the kernel uses readahead for files, and hardly ever for zram' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l file-in -d 'Directory of temporary swap files [default: /var/tmp]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l algorithm -d 'Compression algorithm of temporary zram devices [default: chosen by the kernel]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l priority -d 'Priority of temporary areas: 0 to 32767, or the word default; without it, above all active areas' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s s -l set -d 'Change a kernel setting during the run' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s r -l repeat -d 'Repeat the run N times' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l seed -d 'Random seed: the same seed gives the same accesses and contents' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l min-available -d 'Stop when available memory falls below SIZE [default: 5% of memory, but at least 64M and at most 1G]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l min-swap -d 'Stop when free swap falls below SIZE [default: 1% of the swap that is free at the start]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l title -d 'Title of the result [default: name of the workload]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l on -d 'Run on these simulated machines instead of this one: built-in ones, or files (paths with a / or .toml)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l force -d 'Accept a risk that a check names' -r -f -a "space\t'the file system of a swap file is left almost full'
folder\t'users other than root could replace the swap file'"
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l timeout -d 'Stop the run after TIME (in seconds, or such as 5m) [default: key at_most of the workload]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l max-psi -d 'Stop the run when PSI "full" of memory is above PERCENT for 5 seconds while the whole machine reclaims memory [default: 20]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l whole-machine -d 'Run without a memory limit, and put the whole machine under pressure'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l no-keep -d 'Do not store the result'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l usemem-lines -d 'Print the results of any workload as lines of the benchmark program usemem (vm-scalability), not as tables'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -l dry-run -d 'Only show the run, its temporary areas and the limits that stop it'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s J -l json -d 'Print the measurement and the checks as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from list" -s J -l json -d 'Print JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand stress; and __fish_seen_subcommand_from keys" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -f -a "run" -d 'Run all cases of an experiment in random order, and compare them'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -f -a "list" -d 'List built-in experiments and your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -f -a "show" -d 'Print an experiment as a file to edit'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and not __fish_seen_subcommand_from run list show keys" -f -a "keys" -d 'Explain the keys of an experiment file'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -s l -l limit -d 'Memory limit of each run, such as 512M or 5% of available memory; temporary areas are scaled in proportion' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l scale -d 'Multiply the memory limit of the experiment by TIMES' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l kind -d 'Temporary areas where a case does not choose: zram, file, or one kind for each area such as zram,file [default: that of the experiment]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l file-in -d 'Directory of temporary swap files [default: /var/tmp]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -s r -l repeat -d 'Repeat each case N times [default: that of the experiment]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l only -d 'Run only cases where FACTOR has one of these values' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l seed -d 'Random seed, also for the order of the runs' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l on -d 'Run on these simulated machines instead of this one: built-in ones, or files (paths with a / or .toml)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l force -d 'Accept a risk that a check names' -r -f -a "space\t'the file system of a swap file is left almost full'
folder\t'users other than root could replace the swap file'"
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l timeout -d 'Stop each run after TIME (in seconds, or such as 5m) [default: key at_most of the workload]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l max-psi -d 'Stop a run when PSI "full" of memory is above PERCENT for 5 seconds [default: 20]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l published -d 'Also print published figures: of experiments A to E, and of files that have them'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l no-keep -d 'Do not store the experiment and the results of its cases'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -l dry-run -d 'Only show the cases, their temporary areas and the checks'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -s J -l json -d 'Print the measurement and the checks as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from list" -s J -l json -d 'Print JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand experiment; and __fish_seen_subcommand_from keys" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -l filter -d 'Show only matching rows, such as \'figure~latency\'' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -s J -l json -d 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -l csv -d 'Print comma-separated values in the units of JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -l markdown -d 'Print tables in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -l explain -d 'Explain missing values below each table'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -s a -l all -d 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -f -a "list" -d 'List stored results, newest first'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -f -a "show" -d 'Show what a run or an experiment measured'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -f -a "compare" -d 'Compare two runs or two experiments, and mark differences larger than noise'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -f -a "export" -d 'Export runs or experiments as JSON, CSV, Markdown or HTML'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and not __fish_seen_subcommand_from list show compare export remove" -f -a "remove" -d 'Remove stored results; an experiment is removed with its runs'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -l filter -d 'Show only matching rows, such as \'figure~latency\'' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -s J -l json -d 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -l csv -d 'Print comma-separated values in the units of JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -l markdown -d 'Print tables in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -l explain -d 'Explain missing values below each table'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -s a -l all -d 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -l published -d 'Also print published figures of an experiment, if there are any'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -s J -l json -d 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -l csv -d 'Print comma-separated values in the units of JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -l markdown -d 'Print tables in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -l explain -d 'Explain missing values below each table'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -s a -l all -d 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -l filter -d 'Show only matching rows, such as \'figure~latency\'' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -s J -l json -d 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -l csv -d 'Print comma-separated values in the units of JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -l markdown -d 'Print tables in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -l explain -d 'Explain missing values below each table'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -s a -l all -d 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from compare" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from export" -l format -d 'Output format' -r -f -a "json\t'The complete result, as it is stored'
csv\t'The figures of a run, or the table of an experiment'
markdown\t'The tables'
html\t'A self-contained page with plots'"
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from export" -l to -d 'File to create [default: standard output]' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from export" -l published -d 'Also write figures that others have published for the same experiment; JSON always has them'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from remove" -s y -l yes -d 'Do not ask before removing an experiment with its runs'
complete -c swapadm -n "__fish_swapadm_using_subcommand results; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and not __fish_seen_subcommand_from list show check like-this keys costs" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and not __fish_seen_subcommand_from list show check like-this keys costs" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and not __fish_seen_subcommand_from list show check like-this keys costs" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and not __fish_seen_subcommand_from list show check like-this keys costs" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and not __fish_seen_subcommand_from list show check like-this keys costs" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and not __fish_seen_subcommand_from list show check like-this keys costs" -f -a "list" -d 'List built-in machines'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and not __fish_seen_subcommand_from list show check like-this keys costs" -f -a "show" -d 'Print a machine as a file to edit'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and not __fish_seen_subcommand_from list show check like-this keys costs" -f -a "check" -d 'Check machine files, and report each error with line, key and accepted values'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and not __fish_seen_subcommand_from list show check like-this keys costs" -f -a "like-this" -d 'Print a machine file with the kernel, memory, CPUs and swap areas of this machine'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and not __fish_seen_subcommand_from list show check like-this keys costs" -f -a "keys" -d 'Explain the keys of a machine file'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and not __fish_seen_subcommand_from list show check like-this keys costs" -f -a "costs" -d 'Print the built-in costs of single actions, from which times are estimated, as a file to edit'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and __fish_seen_subcommand_from list" -s J -l json -d 'Print JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and __fish_seen_subcommand_from like-this" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and __fish_seen_subcommand_from like-this" -l recording -d 'Read a recording instead of this machine' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and __fish_seen_subcommand_from like-this" -l machine -d 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and __fish_seen_subcommand_from like-this" -l at -d 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and __fish_seen_subcommand_from like-this" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and __fish_seen_subcommand_from keys" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand machine; and __fish_seen_subcommand_from costs" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and not __fish_seen_subcommand_from show export check keys" -l seed -d 'Random seed of the lesson, from 0: another seed gives other sizes and figures' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and not __fish_seen_subcommand_from show export check keys" -l plain -d 'Print lines and read answers from standard input instead of drawing'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and not __fish_seen_subcommand_from show export check keys" -l present -d 'Present to a class: more room for the lesson, and no progress is kept'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and not __fish_seen_subcommand_from show export check keys" -s J -l json -d 'Print the list as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and not __fish_seen_subcommand_from show export check keys" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and not __fish_seen_subcommand_from show export check keys" -a "show" -d 'Print a lesson as a file to edit'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and not __fish_seen_subcommand_from show export check keys" -a "export" -d 'Print the questions of a lesson as Markdown, with the answers of the model'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and not __fish_seen_subcommand_from show export check keys" -a "check" -d 'Check lesson files and play them, and report each error with line, key and accepted values'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and not __fish_seen_subcommand_from show export check keys" -a "keys" -d 'Explain the keys of a lesson file'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and __fish_seen_subcommand_from export" -l seed -d 'Random seed of the lesson, from 0' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and __fish_seen_subcommand_from export" -l no-answers -d 'Leave the answers out'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand learn; and __fish_seen_subcommand_from keys" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand demo" -s i -l interval -d 'Seconds between samples [env: SWAPADM_INTERVAL]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand demo" -l color -d 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]' -r -f -a "auto\t''
always\t''
true\t''
256\t''
16\t''
never\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand demo" -l theme -d 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]' -r -f -a "dark\t''
light\t''
contrast\t''
terminal\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand demo" -l glyphs -d 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]' -r -f -a "auto\t''
full\t''
blocks\t''
vt\t''
ascii\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand demo" -l screen -d 'Screen to open first' -r -f -a "overview\t''
devices\t''
compression\t''
mthp\t''
paging\t''
processes\t''
lab\t''
map\t''
learn\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand demo" -l config -d 'Use this settings file instead of ~/.config/swapadm/config.toml' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand demo" -l ascii -d 'Draw with ASCII only, as --glyphs ascii'
complete -c swapadm -n "__fish_swapadm_using_subcommand demo" -l no-mouse -d 'Leave the mouse to the terminal'
complete -c swapadm -n "__fish_swapadm_using_subcommand demo" -l no-config -d 'Use no settings file'
complete -c swapadm -n "__fish_swapadm_using_subcommand demo" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand record" -s i -l interval -d 'Seconds between snapshots' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand record" -s c -l count -d 'Stop after N snapshots' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand record" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s o -l output -d 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l sort -d 'Sort by these columns: NAME,-NAME (- for largest first)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l filter -d 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s c -l count -d 'Stop after N reports' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l color -d 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]' -r -f -a "auto\t''
always\t''
true\t''
256\t''
16\t''
never\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l theme -d 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]' -r -f -a "dark\t''
light\t''
contrast\t''
terminal\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l glyphs -d 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]' -r -f -a "auto\t''
full\t''
blocks\t''
vt\t''
ascii\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l screen -d 'Screen to open first' -r -f -a "overview\t''
devices\t''
compression\t''
mthp\t''
paging\t''
processes\t''
lab\t''
map\t''
learn\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l config -d 'Use this settings file instead of ~/.config/swapadm/config.toml' -r -F
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s J -l json -d 'Print JSON in base units; a missing value is null, with the reason'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l csv -d 'Print comma-separated values in base units; yes and no are 1 and 0'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l markdown -d 'Print the table in Markdown'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s b -l bytes -d 'Print sizes in bytes instead of 1.5G'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s n -l noheadings -d 'Omit the headings'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s r -l raw -d 'Separate columns by one space, print all columns even if too wide, write spaces in values as \\x20'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s t -l timestamp -d 'Print the time of the sample before each row'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l explain -d 'Explain missing values below the table'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l help-columns -d 'List the columns with their units and meanings'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l ascii -d 'Draw with ASCII only, as --glyphs ascii'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l no-mouse -d 'Leave the mouse to the terminal'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -l no-config -d 'Use no settings file'
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand capture" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand capture" -l scrub -d 'Omit command lines and the names of host, users, processes and files'
complete -c swapadm -n "__fish_swapadm_using_subcommand capture" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and not __fish_seen_subcommand_from create resize remove" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and not __fish_seen_subcommand_from create resize remove" -s h -l help -d 'Print help'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and not __fish_seen_subcommand_from create resize remove" -f -a "create" -d 'Create a swap file; --on also enables it'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and not __fish_seen_subcommand_from create resize remove" -f -a "resize" -d 'Resize a swap file, keeping label and UUID; an active one is disabled meanwhile'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and not __fish_seen_subcommand_from create resize remove" -f -a "remove" -d 'Remove a swap file; an active one is disabled first'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s L -l label -d 'Label, at most 15 bytes' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s U -l uuid -d 'UUID, instead of a random one' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l page-size -d 'Page size of the machine that will use the area, 4096 to 65536 [default: that of this machine]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s p -l priority -d 'Priority: 0 to 32767, or default (assigned by the kernel)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s d -l discard -d 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given' -r -f -a "none\t''
once\t''
pages\t''
both\t''"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l force -d 'Accept a risk that a check names' -r -f -a "signature\t'the contents of the device or file are overwritten'
image\t'a hibernated system can no longer be resumed'
space\t'the file system of a swap file is left almost full'
folder\t'users other than root could replace the swap file'"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l on -d 'Also enable it as swap'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from create" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l pace -d 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l force -d 'Accept a risk that a check names' -r -f -a "memory\t'the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed'
cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
overcommit\t'allocations may fail because too much memory is committed already'
reads\t'pages that a failing device cannot read are lost, and the kernel kills the processes that use them'
signature\t'the contents of the device or file are overwritten'
space\t'the file system of a swap file is left almost full'
folder\t'users other than root could replace the swap file'"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from resize" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l pace -d 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l force -d 'Accept a risk that a check names' -r -f -a "memory\t'the contents of the area may not fit into memory and the other areas: swapoff is stopped before memory runs out, but processes may still be killed'
cgroup\t'the kernel may kill processes in a cgroup that is at its limit'
overcommit\t'allocations may fail because too much memory is committed already'
reads\t'pages that a failing device cannot read are lost, and the kernel kills the processes that use them'"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -l persist -d 'Also apply the change at boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand file; and __fish_seen_subcommand_from remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -s L -l label -d 'Label, at most 15 bytes' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -s U -l uuid -d 'UUID, instead of a random one' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l page-size -d 'Page size of the machine that will use the area, 4096 to 65536 [default: that of this machine]' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l timeout -d 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l max-psi -d 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l wait -d 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given' -r -f
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l force -d 'Accept a risk that a check names' -r -f -a "signature\t'the contents of the device or file are overwritten'
image\t'a hibernated system can no longer be resumed'"
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l sysroot -d 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]' -r -f -a "(__fish_complete_directories)"
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -l dry-run -d 'Show the plan, and change nothing'
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -s y -l yes -d 'Do not ask for confirmation'
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -s J -l json -d 'Print the plan and its outcome as JSON'
complete -c swapadm -n "__fish_swapadm_using_subcommand format" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "status" -d 'Show the state of swap on one page'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "devices" -d 'Show swap areas: size, use, priority and backing device'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "groups" -d 'Show priority groups, and how evenly each is used'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "zram" -d 'Show zram devices and their compression ratios; subcommands change them'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "zswap" -d 'Show what zswap stores, and what it rejected'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "paging" -d 'Show swap traffic, page faults and reclaim'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "processes" -d 'Show processes with pages in swap'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "process" -d 'Show one process in detail: its mappings in swap and its waits'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "cgroups" -d 'Show swap, limits and pressure of cgroups'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "cgroup" -d 'Show one cgroup in detail: events, limits, processes, NUMA nodes and container'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "pressure" -d 'Show the share of time in which tasks stalled on memory, I/O and CPU (PSI)'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "mthp" -d 'Show how often large folios are swapped out whole or split, by size'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "readahead" -d 'Show the hit rate of swap readahead'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "clusters" -d 'Show how slots are spread over clusters, and which folio sizes still fit'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "numa" -d 'Show memory, swap cache and swap devices by NUMA node'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "knobs" -d 'Show kernel settings that control swapping, with range and default'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "report" -d 'Print all tables, or the tables named'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "metrics" -d 'Print the figures as metrics for Prometheus, or answer its scrapes'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "watch" -d 'Open the terminal interface, or print its screens as lines'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "advise" -d 'Report problems with swap, the figures behind them, and how to fix them'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "selection" -d 'Show which area the kernel fills next, or would fill with other priorities'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "what-if" -d 'Predict how this machine fills swap with another kernel, priorities or areas'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "cost" -d 'Show the metadata memory of swap areas, and what swapoff would move'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "sources" -d 'Show which kernel files could be read, and how to make the others readable'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "setup" -d 'Propose swap for this machine, explain each choice, and set it up'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "apply" -d 'Bring swap into the state that a file describes, or show the differences'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "save" -d 'Print the present state of swap as a file for apply'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "on" -d 'Enable swap areas (swapon)'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "off" -d 'Disable swap areas (swapoff), moving their contents to memory and other areas'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "priority" -d 'Change priorities of swap areas; each area is disabled and enabled again'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "rebalance" -d 'Rebalance swap areas by speed class, unless they are balanced already'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "set" -d 'Change kernel settings that control swapping'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "reset" -d 'Reset kernel settings to their defaults'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "persist" -d 'Show what will differ after the next boot'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "journal" -d 'List changes made by swapadm, and how each ended'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "undo" -d 'Undo a change'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "recover" -d 'Repair an interrupted change'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "stress" -d 'Run a workload under a memory limit, and measure how the kernel swaps'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "experiment" -d 'Run a workload in several cases, and compare them'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "results" -d 'List, show, compare, export and remove stored results of the stress lab'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "machine" -d 'List, print, check and write simulated machines'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "learn" -d 'Learn how swap works: lessons on simulated machines, with predictions before results'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "demo" -d 'Open the interface on a simulated machine under a load that shows something'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "record" -d 'Record snapshots in a file'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "replay" -d 'Open a recording in the interface, or print one of its tables'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "capture" -d 'Copy the kernel files that swapadm reads into a directory, for --sysroot'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "file" -d 'Create, resize and remove swap files'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "format" -d 'Write a swap header to a device or file (mkswap)'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and not __fish_seen_subcommand_from status devices groups zram zswap paging processes process cgroups cgroup pressure mthp readahead clusters numa knobs report metrics watch advise selection what-if cost sources setup apply save on off priority rebalance set reset persist journal undo recover stress experiment results machine learn demo record replay capture file format help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "swap" -d 'Create a zram device and enable it as swap'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "add" -d 'Create a zram device without swap on it (zram swap creates one and enables it)'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "remove" -d 'Remove a zram device'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "resize" -d 'Resize a zram device; swap on it is disabled meanwhile'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "algorithm" -d 'Change the compression algorithm of a zram device; swap on it is disabled meanwhile'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "limit" -d 'Limit the memory of a zram device, also while it is in use'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "compact" -d 'Make a zram device return fragmented memory'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "idle" -d 'Mark pages of a zram device as idle, for writeback and recompress'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "writeback" -d 'Write pages of a zram device to its backing device'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "recompress" -d 'Compress pages of a zram device again with its second algorithm'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from zram" -f -a "upkeep" -d 'Do a round of upkeep: mark idle pages, recompress, write back within a budget, compact'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from process" -f -a "show" -d 'Show memory, swap, waits, cgroup and mappings of a process; reads its page tables'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from process" -f -a "swapin" -d 'Bring the private pages of a process back from swap, if memory and its cgroup have room'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from cgroup" -f -a "show" -d 'Show usage, limits, events, container, processes, NUMA nodes and LRU ages of a cgroup'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from cgroup" -f -a "reclaim" -d 'Reclaim memory of a cgroup, the coldest pages first (memory.reclaim: cgroup v2, kernel 5.19 and later)'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from persist" -f -a "check" -d 'Compare the running machine with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from stress" -f -a "run" -d 'Run a workload under a memory limit, and measure how the kernel swaps'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from stress" -f -a "list" -d 'List built-in workloads and your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from stress" -f -a "show" -d 'Print a workload as a file to edit'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from stress" -f -a "keys" -d 'Explain the keys of a workload file'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from experiment" -f -a "run" -d 'Run all cases of an experiment in random order, and compare them'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from experiment" -f -a "list" -d 'List built-in experiments and your own'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from experiment" -f -a "show" -d 'Print an experiment as a file to edit'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from experiment" -f -a "keys" -d 'Explain the keys of an experiment file'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "list" -d 'List stored results, newest first'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "show" -d 'Show what a run or an experiment measured'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "compare" -d 'Compare two runs or two experiments, and mark differences larger than noise'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "export" -d 'Export runs or experiments as JSON, CSV, Markdown or HTML'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from results" -f -a "remove" -d 'Remove stored results; an experiment is removed with its runs'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from machine" -f -a "list" -d 'List built-in machines'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from machine" -f -a "show" -d 'Print a machine as a file to edit'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from machine" -f -a "check" -d 'Check machine files, and report each error with line, key and accepted values'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from machine" -f -a "like-this" -d 'Print a machine file with the kernel, memory, CPUs and swap areas of this machine'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from machine" -f -a "keys" -d 'Explain the keys of a machine file'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from machine" -f -a "costs" -d 'Print the built-in costs of single actions, from which times are estimated, as a file to edit'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from learn" -f -a "show" -d 'Print a lesson as a file to edit'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from learn" -f -a "export" -d 'Print the questions of a lesson as Markdown, with the answers of the model'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from learn" -f -a "check" -d 'Check lesson files and play them, and report each error with line, key and accepted values'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from learn" -f -a "keys" -d 'Explain the keys of a lesson file'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from file" -f -a "create" -d 'Create a swap file; --on also enables it'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from file" -f -a "resize" -d 'Resize a swap file, keeping label and UUID; an active one is disabled meanwhile'
complete -c swapadm -n "__fish_swapadm_using_subcommand help; and __fish_seen_subcommand_from file" -f -a "remove" -d 'Remove a swap file; an active one is disabled first'
complete -c swapadm -n "__fish_swapadm_needs_command" -f -k -a "status\t'Show the state of swap on one page'
devices\t'Show swap areas: size, use, priority and backing device'
groups\t'Show priority groups, and how evenly each is used'
zram\t'Show zram devices and their compression ratios; subcommands change them'
zswap\t'Show what zswap stores, and what it rejected'
paging\t'Show swap traffic, page faults and reclaim'
processes\t'Show processes with pages in swap'
process\t'Show one process in detail: its mappings in swap and its waits'
cgroups\t'Show swap, limits and pressure of cgroups'
cgroup\t'Show one cgroup in detail: events, limits, processes, NUMA nodes and container'
pressure\t'Show the share of time in which tasks stalled on memory, I/O and CPU (PSI)'
mthp\t'Show how often large folios are swapped out whole or split, by size'
readahead\t'Show the hit rate of swap readahead'
clusters\t'Show how slots are spread over clusters, and which folio sizes still fit'
numa\t'Show memory, swap cache and swap devices by NUMA node'
knobs\t'Show kernel settings that control swapping, with range and default'
report\t'Print all tables, or the tables named'
metrics\t'Print the figures as metrics for Prometheus, or answer its scrapes'
watch\t'Open the terminal interface, or print its screens as lines'
advise\t'Report problems with swap, the figures behind them, and how to fix them'
selection\t'Show which area the kernel fills next, or would fill with other priorities'
what-if\t'Predict how this machine fills swap with another kernel, priorities or areas'
cost\t'Show the metadata memory of swap areas, and what swapoff would move'
sources\t'Show which kernel files could be read, and how to make the others readable'
setup\t'Propose swap for this machine, explain each choice, and set it up'
apply\t'Bring swap into the state that a file describes, or show the differences'
save\t'Print the present state of swap as a file for apply'
on\t'Enable swap areas (swapon)'
off\t'Disable swap areas (swapoff), moving their contents to memory and other areas'
priority\t'Change priorities of swap areas; each area is disabled and enabled again'
rebalance\t'Rebalance swap areas by speed class, unless they are balanced already'
set\t'Change kernel settings that control swapping'
reset\t'Reset kernel settings to their defaults'
persist\t'Show what will differ after the next boot'
journal\t'List changes made by swapadm, and how each ended'
undo\t'Undo a change'
recover\t'Repair an interrupted change'
stress\t'Run a workload under a memory limit, and measure how the kernel swaps'
experiment\t'Run a workload in several cases, and compare them'
results\t'List, show, compare, export and remove stored results of the stress lab'
machine\t'List, print, check and write simulated machines'
learn\t'Learn how swap works: lessons on simulated machines, with predictions before results'
demo\t'Open the interface on a simulated machine under a load that shows something'
record\t'Record snapshots in a file'
replay\t'Open a recording in the interface, or print one of its tables'
capture\t'Copy the kernel files that swapadm reads into a directory, for --sysroot'
file\t'Create, resize and remove swap files'
format\t'Write a swap header to a device or file (mkswap)'
help\t'Print this message or the help of the given subcommand(s)'"
complete -c swapadm -n "__fish_swapadm_using_subcommand clusters" -f -a "(__swapadm_names devices)"
complete -c swapadm -n "__fish_swapadm_using_subcommand report" -f -a "status findings rules kernel devices groups clusters cluster_orders cluster_fill cluster_map cluster_owners cluster_stored cluster_ages cluster_next cluster_slots selection headroom cost zram zswap thp mthp readahead paging counters pressure processes mappings users cgroups cgroup_nodes cgroup_ages shm attribution knobs numa config sources what_if what_if_folios what_if_machines"
complete -c swapadm -n "__fish_swapadm_using_subcommand watch" -f -a "overview devices compression mthp paging processes lab map learn"
complete -c swapadm -n "__fish_swapadm_using_subcommand off" -f -a "(__swapadm_names devices)"
complete -c swapadm -n "__fish_swapadm_using_subcommand priority" -f -a "(__swapadm_names devices)"
complete -c swapadm -n "__fish_swapadm_using_subcommand rebalance" -f -a "equal tiered numa spread custom"
complete -c swapadm -n "__fish_swapadm_using_subcommand set" -f -a "(__swapadm_names knobs)"
complete -c swapadm -n "__fish_swapadm_using_subcommand reset" -f -a "(__swapadm_names knobs)"
complete -c swapadm -n "__fish_swapadm_using_subcommand learn" -f -a "defaults priorities nodes rotational clusters readahead zswap virtual-swap thrashing repair"
complete -c swapadm -n "__fish_swapadm_using_subcommand demo" -f -a "balance waterfall sequential-read zswap-pool folios defaults priorities nodes rotational clusters readahead zswap virtual-swap thrashing repair"
complete -c swapadm -n "__fish_swapadm_using_subcommand replay" -f -a "status findings rules kernel devices groups clusters cluster_orders cluster_fill cluster_map cluster_owners cluster_stored cluster_ages cluster_next cluster_slots selection headroom cost zram zswap thp mthp readahead paging counters pressure processes mappings users cgroups cgroup_nodes cgroup_ages shm attribution knobs numa config sources what_if what_if_folios what_if_machines"
