
use builtin;
use str;

set edit:completion:arg-completer[swapadm] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'swapadm'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'swapadm'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -i 'Seconds between samples [env: SWAPADM_INTERVAL]'
            cand --interval 'Seconds between samples [env: SWAPADM_INTERVAL]'
            cand --color 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]'
            cand --theme 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]'
            cand --glyphs 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]'
            cand --screen 'Screen to open first'
            cand --config 'Use this settings file instead of ~/.config/swapadm/config.toml'
            cand --ascii 'Draw with ASCII only, as --glyphs ascii'
            cand --no-mouse 'Leave the mouse to the terminal'
            cand --no-config 'Use no settings file'
            cand -h 'Print help'
            cand --help 'Print help'
            cand -V 'Print version'
            cand --version 'Print version'
            cand status 'Show the state of swap on one page'
            cand devices 'Show swap areas: size, use, priority and backing device'
            cand groups 'Show priority groups, and how evenly each is used'
            cand zram 'Show zram devices and their compression ratios; subcommands change them'
            cand zswap 'Show what zswap stores, and what it rejected'
            cand paging 'Show swap traffic, page faults and reclaim'
            cand processes 'Show processes with pages in swap'
            cand process 'Show one process in detail: its mappings in swap and its waits'
            cand cgroups 'Show swap, limits and pressure of cgroups'
            cand cgroup 'Show one cgroup in detail: events, limits, processes, NUMA nodes and container'
            cand pressure 'Show the share of time in which tasks stalled on memory, I/O and CPU (PSI)'
            cand mthp 'Show how often large folios are swapped out whole or split, by size'
            cand readahead 'Show the hit rate of swap readahead'
            cand clusters 'Show how slots are spread over clusters, and which folio sizes still fit'
            cand numa 'Show memory, swap cache and swap devices by NUMA node'
            cand knobs 'Show kernel settings that control swapping, with range and default'
            cand report 'Print all tables, or the tables named'
            cand metrics 'Print the figures as metrics for Prometheus, or answer its scrapes'
            cand watch 'Open the terminal interface, or print its screens as lines'
            cand advise 'Report problems with swap, the figures behind them, and how to fix them'
            cand selection 'Show which area the kernel fills next, or would fill with other priorities'
            cand what-if 'Predict how this machine fills swap with another kernel, priorities or areas'
            cand cost 'Show the metadata memory of swap areas, and what swapoff would move'
            cand sources 'Show which kernel files could be read, and how to make the others readable'
            cand setup 'Propose swap for this machine, explain each choice, and set it up'
            cand apply 'Bring swap into the state that a file describes, or show the differences'
            cand save 'Print the present state of swap as a file for apply'
            cand on 'Enable swap areas (swapon)'
            cand off 'Disable swap areas (swapoff), moving their contents to memory and other areas'
            cand priority 'Change priorities of swap areas; each area is disabled and enabled again'
            cand rebalance 'Rebalance swap areas by speed class, unless they are balanced already'
            cand set 'Change kernel settings that control swapping'
            cand reset 'Reset kernel settings to their defaults'
            cand persist 'Show what will differ after the next boot'
            cand journal 'List changes made by swapadm, and how each ended'
            cand undo 'Undo a change'
            cand recover 'Repair an interrupted change'
            cand stress 'Run a workload under a memory limit, and measure how the kernel swaps'
            cand experiment 'Run a workload in several cases, and compare them'
            cand results 'List, show, compare, export and remove stored results of the stress lab'
            cand machine 'List, print, check and write simulated machines'
            cand learn 'Learn how swap works: lessons on simulated machines, with predictions before results'
            cand demo 'Open the interface on a simulated machine under a load that shows something'
            cand record 'Record snapshots in a file'
            cand replay 'Open a recording in the interface, or print one of its tables'
            cand capture 'Copy the kernel files that swapadm reads into a directory, for --sysroot'
            cand file 'Create, resize and remove swap files'
            cand format 'Write a swap header to a device or file (mkswap)'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'swapadm;status'= {
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand --filter 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;devices'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''size>1M''; & and | join conditions, a bare word matches any column'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;groups'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''areas>1''; & and | join conditions, a bare word matches any column'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;zram'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''disksize>1M''; & and | join conditions, a bare word matches any column'
            cand -a 'Include empty rows'
            cand --all 'Include empty rows'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
            cand swap 'Create a zram device and enable it as swap'
            cand add 'Create a zram device without swap on it (zram swap creates one and enables it)'
            cand remove 'Remove a zram device'
            cand resize 'Resize a zram device; swap on it is disabled meanwhile'
            cand algorithm 'Change the compression algorithm of a zram device; swap on it is disabled meanwhile'
            cand limit 'Limit the memory of a zram device, also while it is in use'
            cand compact 'Make a zram device return fragmented memory'
            cand idle 'Mark pages of a zram device as idle, for writeback and recompress'
            cand writeback 'Write pages of a zram device to its backing device'
            cand recompress 'Compress pages of a zram device again with its second algorithm'
            cand upkeep 'Do a round of upkeep: mark idle pages, recompress, write back within a budget, compact'
        }
        &'swapadm;zram;swap'= {
            cand -s 'Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory'
            cand --size 'Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory'
            cand -a 'Compression algorithm [default: chosen by the kernel]'
            cand --algorithm 'Compression algorithm [default: chosen by the kernel]'
            cand --second-algorithm 'Secondary algorithm for recompress (if the kernel supports recompression)'
            cand --limit 'Memory limit, such as 512M, 2G or 25% of memory'
            cand --backing 'Backing device for writeback (if the kernel supports writeback)'
            cand -p 'Priority: 0 to 32767, or default (assigned by the kernel)'
            cand --priority 'Priority: 0 to 32767, or default (assigned by the kernel)'
            cand -d 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given'
            cand --discard 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given'
            cand --label 'Label, at most 15 bytes'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;zram;add'= {
            cand -s 'Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory'
            cand --size 'Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory'
            cand -a 'Compression algorithm [default: chosen by the kernel]'
            cand --algorithm 'Compression algorithm [default: chosen by the kernel]'
            cand --second-algorithm 'Secondary algorithm for recompress (if the kernel supports recompression)'
            cand --limit 'Memory limit, such as 512M, 2G or 25% of memory'
            cand --backing 'Backing device for writeback (if the kernel supports writeback)'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;zram;remove'= {
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;zram;resize'= {
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --pace 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;zram;algorithm'= {
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --pace 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;zram;limit'= {
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;zram;compact'= {
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m); what is done stays'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;zram;idle'= {
            cand --age 'Only pages not used for TIME, such as 90, 30m or 1h'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m); what is done stays'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;zram;writeback'= {
            cand --limit 'Set the writeback limit of the device; it stays until changed'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m); what is done stays'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;zram;recompress'= {
            cand --threshold 'Only pages whose compressed size is above BYTES'
            cand -a 'Use this second algorithm of the device [default: all of them]'
            cand --algorithm 'Use this second algorithm of the device [default: all of them]'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m); what is done stays'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;zram;upkeep'= {
            cand --policy 'Take the policy from the upkeep table of a file that apply reads [default: /etc/swapadm/wanted.toml, if it exists]'
            cand --age 'Pages not used for TIME, such as 90, 30m or 1h, count as idle [default: that of the policy, or 1h]'
            cand --budget 'Write idle and incompressible pages to the backing device, at most SIZE in 24 hours for each device [default: that of the policy]'
            cand --compact-from 'Compact a device if this share of its memory is fragmented [default: that of the policy, or 10]'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m); what is done stays'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;zswap'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''pool>1M''; & and | join conditions, a bare word matches any column'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;paging'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''in_rate>1M''; & and | join conditions, a bare word matches any column'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;processes'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''pid>1''; & and | join conditions, a bare word matches any column'
            cand --pss 'Add the proportional share of swap; reads the page tables of each process'
            cand --tree 'Show children below their parents'
            cand --users 'Sum by user instead of listing processes'
            cand -a 'Include processes without swap'
            cand --all 'Include processes without swap'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;process'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand -h 'Print help'
            cand --help 'Print help'
            cand show 'Show memory, swap, waits, cgroup and mappings of a process; reads its page tables'
            cand swapin 'Bring the private pages of a process back from swap, if memory and its cgroup have room'
        }
        &'swapadm;process;show'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand -a 'Include mappings, or the processes of a cgroup, without swap'
            cand --all 'Include mappings, or the processes of a cgroup, without swap'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;process;swapin'= {
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m); what is done stays'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;cgroups'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''swap>1M''; & and | join conditions, a bare word matches any column'
            cand -a 'Include empty rows'
            cand --all 'Include empty rows'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;cgroup'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand -h 'Print help'
            cand --help 'Print help'
            cand show 'Show usage, limits, events, container, processes, NUMA nodes and LRU ages of a cgroup'
            cand reclaim 'Reclaim memory of a cgroup, the coldest pages first (memory.reclaim: cgroup v2, kernel 5.19 and later)'
        }
        &'swapadm;cgroup;show'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand -a 'Include mappings, or the processes of a cgroup, without swap'
            cand --all 'Include mappings, or the processes of a cgroup, without swap'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;cgroup;reclaim'= {
            cand --source 'Source: cold memory, or the zswap pool of the cgroup, which is written to the areas behind it (no release can do the latter yet)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m); what is done stays'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;pressure'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''avg10>10%''; & and | join conditions, a bare word matches any column'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;mthp'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''size>1M''; & and | join conditions, a bare word matches any column'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;readahead'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''page_cluster>1''; & and | join conditions, a bare word matches any column'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;clusters'= {
            cand --view 'Use this source instead of the best available one'
            cand --cluster 'Show each slot of this cluster of the area, counted from 0; --json adds all that is known'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand --filter 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand --map 'Draw a map of each area'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;numa'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''node>1''; & and | join conditions, a bare word matches any column'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;knobs'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''name~swap''; & and | join conditions, a bare word matches any column'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;report'= {
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand --filter 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -a 'Include empty rows'
            cand --all 'Include empty rows'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;metrics'= {
            cand --textfile 'Write the metrics to FILE for the textfile collector of node_exporter'
            cand --listen 'Answer scrapes at http://ADDRESS/metrics: a port, for this machine only, or IP:PORT'
            cand --cgroup 'Include this cgroup, such as /system.slice/db.service; can be given several times'
            cand --process 'Include the sum of all processes with this name; can be given several times'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;watch'= {
            cand --picture 'Write a picture of the screen to FILE as SVG instead of opening the interface'
            cand --size 'Columns and rows of the picture, from 30x6 to 400x200'
            cand -c 'Stop after N samples; a picture takes 2 of a live machine, and all of a recording'
            cand --count 'Stop after N samples; a picture takes 2 of a live machine, and all of a recording'
            cand -i 'Seconds between samples [env: SWAPADM_INTERVAL]'
            cand --interval 'Seconds between samples [env: SWAPADM_INTERVAL]'
            cand --color 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]'
            cand --theme 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]'
            cand --glyphs 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]'
            cand --screen 'Screen to open first'
            cand --config 'Use this settings file instead of ~/.config/swapadm/config.toml'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand --plain 'Print lines instead of drawing, for screen readers, logs and serial consoles'
            cand --ascii 'Draw with ASCII only, as --glyphs ascii'
            cand --no-mouse 'Leave the mouse to the terminal'
            cand --no-config 'Use no settings file'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;advise'= {
            cand --explain 'Explain one rule, also if it finds nothing'
            cand -i 'Repeat every SECS seconds'
            cand --interval 'Repeat every SECS seconds'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --config 'Read thresholds from this settings file instead of ~/.config/swapadm/config.toml'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand --check 'Exit with 1 for warnings, with 7 for critical findings; notes do not count'
            cand --rules 'List all rules: what each checks, and its result'
            cand -J 'Print findings with their figures, and the result of each rule, as JSON'
            cand --json 'Print findings with their figures, and the result of each rule, as JSON'
            cand --no-config 'Use the default thresholds'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;selection'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand --node 'Show only the order of this NUMA node'
            cand --cgroup 'Show only areas that this cgroup may use, on kernels with swap tiers (no release has them yet)'
            cand --folio 'Show shares of large folios of this size, such as 64K or 2M, instead of single pages'
            cand --with 'Also show the order with these priorities: AREA is a path, a name, LABEL= or UUID=, N is 0 to 32767 or default; changes nothing'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''position>1''; & and | join conditions, a bare word matches any column'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;what-if'= {
            cand --kernel 'Model this kernel: 4.13, 5.10, 6.1, 6.12, 6.18 or 7.2, or one with a single design changed, such as 6.12+scan-one; swapadm-what-if(8) lists them'
            cand --priority 'Use these priorities: AREA is a path, a name, LABEL= or UUID=, N is 0 to 32767 or default'
            cand --add 'Add an area: its size and device (zram, ssd, nvme, disk, file or file-on-disk), and if wanted its priority and NUMA node, such as 16G@nvme,priority=5,node=1'
            cand --load 'Assume this workload: a built-in one, one of your own by its name, or a file (a path with a / or .toml) [default: processes that fill swap]'
            cand --rate 'Growth of used swap per second, such as 10M [default: measured on this machine, or in the recording]'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand --like-now 'Assume the swap traffic of this machine, measured for 3 seconds, or that of a recording'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -J 'Print the tables as JSON, with all columns'
            cand --json 'Print the tables as JSON, with all columns'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;cost'= {
            cand --plan 'Also estimate areas of these sizes'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand --filter 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;sources'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand -i 'Repeat every SECS seconds, with rates'
            cand --interval 'Repeat every SECS seconds, with rates'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --filter 'Show only matching rows, such as ''denied>1''; & and | join conditions, a bare word matches any column'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;setup'= {
            cand --profile 'Kind of machine [default: guessed from battery, desktop, programs and board]'
            cand --with 'Choose a value, such as compression=zram, size=4G, disk=8G or boot=no; can be repeated'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --pace 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --no-sample 'Do not read memory of processes to measure the compression ratio'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;apply'= {
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --pace 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --check 'Change nothing; exit with 1 if something differs'
            cand --diff 'Change nothing, and show present (-) and wanted (+) values; exit with 1 if something differs'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;save'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --boot 'Print the state after the next boot, as configuration files have it'
            cand --cgroups 'Include the limits of cgroups'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;on'= {
            cand -p 'Priority: 0 to 32767, or default (assigned by the kernel)'
            cand --priority 'Priority: 0 to 32767, or default (assigned by the kernel)'
            cand -d 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given'
            cand --discard 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand -a 'Enable all swap areas in /etc/fstab, except those marked noauto'
            cand --all 'Enable all swap areas in /etc/fstab, except those marked noauto'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;off'= {
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --pace 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand -a 'Disable all active areas'
            cand --all 'Disable all active areas'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;priority'= {
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --pace 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;rebalance'= {
            cand --skew 'With spread: correct an imbalance of PERCENT or more; swapadm groups shows it [default: 20]'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --pace 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --check 'Only check: exit status 1 if rebalancing is needed, else 0; needs no root'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;set'= {
            cand --cgroup 'Change settings of this cgroup, such as memory.swap.max'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;reset'= {
            cand --cgroup 'Remove limits of this cgroup, such as memory.swap.max'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;persist'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand -h 'Print help'
            cand --help 'Print help'
            cand check 'Compare the running machine with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d'
        }
        &'swapadm;persist;check'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand -J 'Print JSON'
            cand --json 'Print JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;journal'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand -J 'Print JSON'
            cand --json 'Print JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;undo'= {
            cand --force 'Accept a risk that a check names'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --pace 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;recover'= {
            cand --dismiss 'Close this plan without repairing it, if its area is gone for good; swapadm journal lists the numbers of plans'
            cand --force 'Accept a risk that a check names'
            cand --pace 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m); what is done stays'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;stress'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand -h 'Print help'
            cand --help 'Print help'
            cand run 'Run a workload under a memory limit, and measure how the kernel swaps'
            cand list 'List built-in workloads and your own'
            cand show 'Print a workload as a file to edit'
            cand keys 'Explain the keys of a workload file'
        }
        &'swapadm;stress;run'= {
            cand -w 'Change a key of the workload: KEY=VALUE for all its processes, 2.KEY=VALUE for those of its second group of processes'
            cand --with 'Change a key of the workload: KEY=VALUE for all its processes, 2.KEY=VALUE for those of its second group of processes'
            cand -l 'Memory limit of all processes together, such as 512M or 25% of available memory; at least 8M plus 512K for each process'
            cand --limit 'Memory limit of all processes together, such as 512M or 25% of available memory; at least 8M plus 512K for each process'
            cand -z 'Add temporary swap on zram: 1G, or 4x1G for four devices [default: 1G if no swap is active]'
            cand --zram 'Add temporary swap on zram: 1G, or 4x1G for four devices [default: 1G if no swap is active]'
            cand --file 'Add a temporary swap file: 1G, or 2x512M for two files; the kernel uses readahead for files, and hardly ever for zram'
            cand --file-in 'Directory of temporary swap files [default: /var/tmp]'
            cand --algorithm 'Compression algorithm of temporary zram devices [default: chosen by the kernel]'
            cand --priority 'Priority of temporary areas: 0 to 32767, or the word default; without it, above all active areas'
            cand -s 'Change a kernel setting during the run'
            cand --set 'Change a kernel setting during the run'
            cand -r 'Repeat the run N times'
            cand --repeat 'Repeat the run N times'
            cand --seed 'Random seed: the same seed gives the same accesses and contents'
            cand --min-available 'Stop when available memory falls below SIZE [default: 5% of memory, but at least 64M and at most 1G]'
            cand --min-swap 'Stop when free swap falls below SIZE [default: 1% of the swap that is free at the start]'
            cand --title 'Title of the result [default: name of the workload]'
            cand --on 'Run on these simulated machines instead of this one: built-in ones, or files (paths with a / or .toml)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --timeout 'Stop the run after TIME (in seconds, or such as 5m) [default: key at_most of the workload]'
            cand --max-psi 'Stop the run when PSI "full" of memory is above PERCENT for 5 seconds while the whole machine reclaims memory [default: 20]'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --whole-machine 'Run without a memory limit, and put the whole machine under pressure'
            cand --no-keep 'Do not store the result'
            cand --usemem-lines 'Print the results of any workload as lines of the benchmark program usemem (vm-scalability), not as tables'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand --dry-run 'Only show the run, its temporary areas and the limits that stop it'
            cand -J 'Print the measurement and the checks as JSON'
            cand --json 'Print the measurement and the checks as JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;stress;list'= {
            cand -J 'Print JSON'
            cand --json 'Print JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;stress;show'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;stress;keys'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;experiment'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand -h 'Print help'
            cand --help 'Print help'
            cand run 'Run all cases of an experiment in random order, and compare them'
            cand list 'List built-in experiments and your own'
            cand show 'Print an experiment as a file to edit'
            cand keys 'Explain the keys of an experiment file'
        }
        &'swapadm;experiment;run'= {
            cand -l 'Memory limit of each run, such as 512M or 5% of available memory; temporary areas are scaled in proportion'
            cand --limit 'Memory limit of each run, such as 512M or 5% of available memory; temporary areas are scaled in proportion'
            cand --scale 'Multiply the memory limit of the experiment by TIMES'
            cand --kind 'Temporary areas where a case does not choose: zram, file, or one kind for each area such as zram,file [default: that of the experiment]'
            cand --file-in 'Directory of temporary swap files [default: /var/tmp]'
            cand -r 'Repeat each case N times [default: that of the experiment]'
            cand --repeat 'Repeat each case N times [default: that of the experiment]'
            cand --only 'Run only cases where FACTOR has one of these values'
            cand --seed 'Random seed, also for the order of the runs'
            cand --on 'Run on these simulated machines instead of this one: built-in ones, or files (paths with a / or .toml)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --timeout 'Stop each run after TIME (in seconds, or such as 5m) [default: key at_most of the workload]'
            cand --max-psi 'Stop a run when PSI "full" of memory is above PERCENT for 5 seconds [default: 20]'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --published 'Also print published figures: of experiments A to E, and of files that have them'
            cand --no-keep 'Do not store the experiment and the results of its cases'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand --dry-run 'Only show the cases, their temporary areas and the checks'
            cand -J 'Print the measurement and the checks as JSON'
            cand --json 'Print the measurement and the checks as JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;experiment;list'= {
            cand -J 'Print JSON'
            cand --json 'Print JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;experiment;show'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;experiment;keys'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;results'= {
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand --filter 'Show only matching rows, such as ''figure~latency'''
            cand -J 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
            cand --json 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in the units of JSON'
            cand --markdown 'Print tables in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand --explain 'Explain missing values below each table'
            cand -a 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
            cand --all 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List stored results, newest first'
            cand show 'Show what a run or an experiment measured'
            cand compare 'Compare two runs or two experiments, and mark differences larger than noise'
            cand export 'Export runs or experiments as JSON, CSV, Markdown or HTML'
            cand remove 'Remove stored results; an experiment is removed with its runs'
        }
        &'swapadm;results;list'= {
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand --filter 'Show only matching rows, such as ''figure~latency'''
            cand -J 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
            cand --json 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in the units of JSON'
            cand --markdown 'Print tables in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand --explain 'Explain missing values below each table'
            cand -a 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
            cand --all 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;results;show'= {
            cand --published 'Also print published figures of an experiment, if there are any'
            cand -J 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
            cand --json 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in the units of JSON'
            cand --markdown 'Print tables in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand --explain 'Explain missing values below each table'
            cand -a 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
            cand --all 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;results;compare'= {
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand --filter 'Show only matching rows, such as ''figure~latency'''
            cand -J 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
            cand --json 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in the units of JSON'
            cand --markdown 'Print tables in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand --explain 'Explain missing values below each table'
            cand -a 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
            cand --all 'Include empty rows, and rows that are in the tables of areas, folios or latency too'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;results;export'= {
            cand --format 'Output format'
            cand --to 'File to create [default: standard output]'
            cand --published 'Also write figures that others have published for the same experiment; JSON always has them'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;results;remove'= {
            cand -y 'Do not ask before removing an experiment with its runs'
            cand --yes 'Do not ask before removing an experiment with its runs'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;machine'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -h 'Print help'
            cand --help 'Print help'
            cand list 'List built-in machines'
            cand show 'Print a machine as a file to edit'
            cand check 'Check machine files, and report each error with line, key and accepted values'
            cand like-this 'Print a machine file with the kernel, memory, CPUs and swap areas of this machine'
            cand keys 'Explain the keys of a machine file'
            cand costs 'Print the built-in costs of single actions, from which times are estimated, as a file to edit'
        }
        &'swapadm;machine;list'= {
            cand -J 'Print JSON'
            cand --json 'Print JSON'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;machine;show'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;machine;check'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;machine;like-this'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --recording 'Read a recording instead of this machine'
            cand --machine 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)'
            cand --at 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;machine;keys'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;machine;costs'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;learn'= {
            cand --seed 'Random seed of the lesson, from 0: another seed gives other sizes and figures'
            cand --plain 'Print lines and read answers from standard input instead of drawing'
            cand --present 'Present to a class: more room for the lesson, and no progress is kept'
            cand -J 'Print the list as JSON'
            cand --json 'Print the list as JSON'
            cand -h 'Print help'
            cand --help 'Print help'
            cand show 'Print a lesson as a file to edit'
            cand export 'Print the questions of a lesson as Markdown, with the answers of the model'
            cand check 'Check lesson files and play them, and report each error with line, key and accepted values'
            cand keys 'Explain the keys of a lesson file'
        }
        &'swapadm;learn;show'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;learn;export'= {
            cand --seed 'Random seed of the lesson, from 0'
            cand --no-answers 'Leave the answers out'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;learn;check'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;learn;keys'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;demo'= {
            cand -i 'Seconds between samples [env: SWAPADM_INTERVAL]'
            cand --interval 'Seconds between samples [env: SWAPADM_INTERVAL]'
            cand --color 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]'
            cand --theme 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]'
            cand --glyphs 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]'
            cand --screen 'Screen to open first'
            cand --config 'Use this settings file instead of ~/.config/swapadm/config.toml'
            cand --ascii 'Draw with ASCII only, as --glyphs ascii'
            cand --no-mouse 'Leave the mouse to the terminal'
            cand --no-config 'Use no settings file'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;record'= {
            cand -i 'Seconds between snapshots'
            cand --interval 'Seconds between snapshots'
            cand -c 'Stop after N snapshots'
            cand --count 'Stop after N snapshots'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;replay'= {
            cand -o 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --output 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes'
            cand --sort 'Sort by these columns: NAME,-NAME (- for largest first)'
            cand --filter 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column'
            cand -c 'Stop after N reports'
            cand --count 'Stop after N reports'
            cand --color 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]'
            cand --theme 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]'
            cand --glyphs 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]'
            cand --screen 'Screen to open first'
            cand --config 'Use this settings file instead of ~/.config/swapadm/config.toml'
            cand -J 'Print JSON in base units; a missing value is null, with the reason'
            cand --json 'Print JSON in base units; a missing value is null, with the reason'
            cand --csv 'Print comma-separated values in base units; yes and no are 1 and 0'
            cand --markdown 'Print the table in Markdown'
            cand -b 'Print sizes in bytes instead of 1.5G'
            cand --bytes 'Print sizes in bytes instead of 1.5G'
            cand -n 'Omit the headings'
            cand --noheadings 'Omit the headings'
            cand -r 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand --raw 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20'
            cand -t 'Print the time of the sample before each row'
            cand --timestamp 'Print the time of the sample before each row'
            cand --explain 'Explain missing values below the table'
            cand --help-columns 'List the columns with their units and meanings'
            cand --ascii 'Draw with ASCII only, as --glyphs ascii'
            cand --no-mouse 'Leave the mouse to the terminal'
            cand --no-config 'Use no settings file'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;capture'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --scrub 'Omit command lines and the names of host, users, processes and files'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'swapadm;file'= {
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand -h 'Print help'
            cand --help 'Print help'
            cand create 'Create a swap file; --on also enables it'
            cand resize 'Resize a swap file, keeping label and UUID; an active one is disabled meanwhile'
            cand remove 'Remove a swap file; an active one is disabled first'
        }
        &'swapadm;file;create'= {
            cand -L 'Label, at most 15 bytes'
            cand --label 'Label, at most 15 bytes'
            cand -U 'UUID, instead of a random one'
            cand --uuid 'UUID, instead of a random one'
            cand --page-size 'Page size of the machine that will use the area, 4096 to 65536 [default: that of this machine]'
            cand -p 'Priority: 0 to 32767, or default (assigned by the kernel)'
            cand --priority 'Priority: 0 to 32767, or default (assigned by the kernel)'
            cand -d 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given'
            cand --discard 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --on 'Also enable it as swap'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;file;resize'= {
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --pace 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;file;remove'= {
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --pace 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand --persist 'Also apply the change at boot'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;format'= {
            cand -L 'Label, at most 15 bytes'
            cand --label 'Label, at most 15 bytes'
            cand -U 'UUID, instead of a random one'
            cand --uuid 'UUID, instead of a random one'
            cand --page-size 'Page size of the machine that will use the area, 4096 to 65536 [default: that of this machine]'
            cand --timeout 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory'
            cand --max-psi 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)'
            cand --wait 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given'
            cand --force 'Accept a risk that a check names'
            cand --sysroot 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]'
            cand --dry-run 'Show the plan, and change nothing'
            cand -y 'Do not ask for confirmation'
            cand --yes 'Do not ask for confirmation'
            cand -J 'Print the plan and its outcome as JSON'
            cand --json 'Print the plan and its outcome as JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'swapadm;help'= {
            cand status 'Show the state of swap on one page'
            cand devices 'Show swap areas: size, use, priority and backing device'
            cand groups 'Show priority groups, and how evenly each is used'
            cand zram 'Show zram devices and their compression ratios; subcommands change them'
            cand zswap 'Show what zswap stores, and what it rejected'
            cand paging 'Show swap traffic, page faults and reclaim'
            cand processes 'Show processes with pages in swap'
            cand process 'Show one process in detail: its mappings in swap and its waits'
            cand cgroups 'Show swap, limits and pressure of cgroups'
            cand cgroup 'Show one cgroup in detail: events, limits, processes, NUMA nodes and container'
            cand pressure 'Show the share of time in which tasks stalled on memory, I/O and CPU (PSI)'
            cand mthp 'Show how often large folios are swapped out whole or split, by size'
            cand readahead 'Show the hit rate of swap readahead'
            cand clusters 'Show how slots are spread over clusters, and which folio sizes still fit'
            cand numa 'Show memory, swap cache and swap devices by NUMA node'
            cand knobs 'Show kernel settings that control swapping, with range and default'
            cand report 'Print all tables, or the tables named'
            cand metrics 'Print the figures as metrics for Prometheus, or answer its scrapes'
            cand watch 'Open the terminal interface, or print its screens as lines'
            cand advise 'Report problems with swap, the figures behind them, and how to fix them'
            cand selection 'Show which area the kernel fills next, or would fill with other priorities'
            cand what-if 'Predict how this machine fills swap with another kernel, priorities or areas'
            cand cost 'Show the metadata memory of swap areas, and what swapoff would move'
            cand sources 'Show which kernel files could be read, and how to make the others readable'
            cand setup 'Propose swap for this machine, explain each choice, and set it up'
            cand apply 'Bring swap into the state that a file describes, or show the differences'
            cand save 'Print the present state of swap as a file for apply'
            cand on 'Enable swap areas (swapon)'
            cand off 'Disable swap areas (swapoff), moving their contents to memory and other areas'
            cand priority 'Change priorities of swap areas; each area is disabled and enabled again'
            cand rebalance 'Rebalance swap areas by speed class, unless they are balanced already'
            cand set 'Change kernel settings that control swapping'
            cand reset 'Reset kernel settings to their defaults'
            cand persist 'Show what will differ after the next boot'
            cand journal 'List changes made by swapadm, and how each ended'
            cand undo 'Undo a change'
            cand recover 'Repair an interrupted change'
            cand stress 'Run a workload under a memory limit, and measure how the kernel swaps'
            cand experiment 'Run a workload in several cases, and compare them'
            cand results 'List, show, compare, export and remove stored results of the stress lab'
            cand machine 'List, print, check and write simulated machines'
            cand learn 'Learn how swap works: lessons on simulated machines, with predictions before results'
            cand demo 'Open the interface on a simulated machine under a load that shows something'
            cand record 'Record snapshots in a file'
            cand replay 'Open a recording in the interface, or print one of its tables'
            cand capture 'Copy the kernel files that swapadm reads into a directory, for --sysroot'
            cand file 'Create, resize and remove swap files'
            cand format 'Write a swap header to a device or file (mkswap)'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'swapadm;help;status'= {
        }
        &'swapadm;help;devices'= {
        }
        &'swapadm;help;groups'= {
        }
        &'swapadm;help;zram'= {
            cand swap 'Create a zram device and enable it as swap'
            cand add 'Create a zram device without swap on it (zram swap creates one and enables it)'
            cand remove 'Remove a zram device'
            cand resize 'Resize a zram device; swap on it is disabled meanwhile'
            cand algorithm 'Change the compression algorithm of a zram device; swap on it is disabled meanwhile'
            cand limit 'Limit the memory of a zram device, also while it is in use'
            cand compact 'Make a zram device return fragmented memory'
            cand idle 'Mark pages of a zram device as idle, for writeback and recompress'
            cand writeback 'Write pages of a zram device to its backing device'
            cand recompress 'Compress pages of a zram device again with its second algorithm'
            cand upkeep 'Do a round of upkeep: mark idle pages, recompress, write back within a budget, compact'
        }
        &'swapadm;help;zram;swap'= {
        }
        &'swapadm;help;zram;add'= {
        }
        &'swapadm;help;zram;remove'= {
        }
        &'swapadm;help;zram;resize'= {
        }
        &'swapadm;help;zram;algorithm'= {
        }
        &'swapadm;help;zram;limit'= {
        }
        &'swapadm;help;zram;compact'= {
        }
        &'swapadm;help;zram;idle'= {
        }
        &'swapadm;help;zram;writeback'= {
        }
        &'swapadm;help;zram;recompress'= {
        }
        &'swapadm;help;zram;upkeep'= {
        }
        &'swapadm;help;zswap'= {
        }
        &'swapadm;help;paging'= {
        }
        &'swapadm;help;processes'= {
        }
        &'swapadm;help;process'= {
            cand show 'Show memory, swap, waits, cgroup and mappings of a process; reads its page tables'
            cand swapin 'Bring the private pages of a process back from swap, if memory and its cgroup have room'
        }
        &'swapadm;help;process;show'= {
        }
        &'swapadm;help;process;swapin'= {
        }
        &'swapadm;help;cgroups'= {
        }
        &'swapadm;help;cgroup'= {
            cand show 'Show usage, limits, events, container, processes, NUMA nodes and LRU ages of a cgroup'
            cand reclaim 'Reclaim memory of a cgroup, the coldest pages first (memory.reclaim: cgroup v2, kernel 5.19 and later)'
        }
        &'swapadm;help;cgroup;show'= {
        }
        &'swapadm;help;cgroup;reclaim'= {
        }
        &'swapadm;help;pressure'= {
        }
        &'swapadm;help;mthp'= {
        }
        &'swapadm;help;readahead'= {
        }
        &'swapadm;help;clusters'= {
        }
        &'swapadm;help;numa'= {
        }
        &'swapadm;help;knobs'= {
        }
        &'swapadm;help;report'= {
        }
        &'swapadm;help;metrics'= {
        }
        &'swapadm;help;watch'= {
        }
        &'swapadm;help;advise'= {
        }
        &'swapadm;help;selection'= {
        }
        &'swapadm;help;what-if'= {
        }
        &'swapadm;help;cost'= {
        }
        &'swapadm;help;sources'= {
        }
        &'swapadm;help;setup'= {
        }
        &'swapadm;help;apply'= {
        }
        &'swapadm;help;save'= {
        }
        &'swapadm;help;on'= {
        }
        &'swapadm;help;off'= {
        }
        &'swapadm;help;priority'= {
        }
        &'swapadm;help;rebalance'= {
        }
        &'swapadm;help;set'= {
        }
        &'swapadm;help;reset'= {
        }
        &'swapadm;help;persist'= {
            cand check 'Compare the running machine with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d'
        }
        &'swapadm;help;persist;check'= {
        }
        &'swapadm;help;journal'= {
        }
        &'swapadm;help;undo'= {
        }
        &'swapadm;help;recover'= {
        }
        &'swapadm;help;stress'= {
            cand run 'Run a workload under a memory limit, and measure how the kernel swaps'
            cand list 'List built-in workloads and your own'
            cand show 'Print a workload as a file to edit'
            cand keys 'Explain the keys of a workload file'
        }
        &'swapadm;help;stress;run'= {
        }
        &'swapadm;help;stress;list'= {
        }
        &'swapadm;help;stress;show'= {
        }
        &'swapadm;help;stress;keys'= {
        }
        &'swapadm;help;experiment'= {
            cand run 'Run all cases of an experiment in random order, and compare them'
            cand list 'List built-in experiments and your own'
            cand show 'Print an experiment as a file to edit'
            cand keys 'Explain the keys of an experiment file'
        }
        &'swapadm;help;experiment;run'= {
        }
        &'swapadm;help;experiment;list'= {
        }
        &'swapadm;help;experiment;show'= {
        }
        &'swapadm;help;experiment;keys'= {
        }
        &'swapadm;help;results'= {
            cand list 'List stored results, newest first'
            cand show 'Show what a run or an experiment measured'
            cand compare 'Compare two runs or two experiments, and mark differences larger than noise'
            cand export 'Export runs or experiments as JSON, CSV, Markdown or HTML'
            cand remove 'Remove stored results; an experiment is removed with its runs'
        }
        &'swapadm;help;results;list'= {
        }
        &'swapadm;help;results;show'= {
        }
        &'swapadm;help;results;compare'= {
        }
        &'swapadm;help;results;export'= {
        }
        &'swapadm;help;results;remove'= {
        }
        &'swapadm;help;machine'= {
            cand list 'List built-in machines'
            cand show 'Print a machine as a file to edit'
            cand check 'Check machine files, and report each error with line, key and accepted values'
            cand like-this 'Print a machine file with the kernel, memory, CPUs and swap areas of this machine'
            cand keys 'Explain the keys of a machine file'
            cand costs 'Print the built-in costs of single actions, from which times are estimated, as a file to edit'
        }
        &'swapadm;help;machine;list'= {
        }
        &'swapadm;help;machine;show'= {
        }
        &'swapadm;help;machine;check'= {
        }
        &'swapadm;help;machine;like-this'= {
        }
        &'swapadm;help;machine;keys'= {
        }
        &'swapadm;help;machine;costs'= {
        }
        &'swapadm;help;learn'= {
            cand show 'Print a lesson as a file to edit'
            cand export 'Print the questions of a lesson as Markdown, with the answers of the model'
            cand check 'Check lesson files and play them, and report each error with line, key and accepted values'
            cand keys 'Explain the keys of a lesson file'
        }
        &'swapadm;help;learn;show'= {
        }
        &'swapadm;help;learn;export'= {
        }
        &'swapadm;help;learn;check'= {
        }
        &'swapadm;help;learn;keys'= {
        }
        &'swapadm;help;demo'= {
        }
        &'swapadm;help;record'= {
        }
        &'swapadm;help;replay'= {
        }
        &'swapadm;help;capture'= {
        }
        &'swapadm;help;file'= {
            cand create 'Create a swap file; --on also enables it'
            cand resize 'Resize a swap file, keeping label and UUID; an active one is disabled meanwhile'
            cand remove 'Remove a swap file; an active one is disabled first'
        }
        &'swapadm;help;file;create'= {
        }
        &'swapadm;help;file;resize'= {
        }
        &'swapadm;help;file;remove'= {
        }
        &'swapadm;help;format'= {
        }
        &'swapadm;help;help'= {
        }
    ]
    $completions[$command]
}
