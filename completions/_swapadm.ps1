
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'swapadm' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'swapadm'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'swapadm' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Seconds between samples [env: SWAPADM_INTERVAL]')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Seconds between samples [env: SWAPADM_INTERVAL]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]')
            [CompletionResult]::new('--theme', '--theme', [CompletionResultType]::ParameterName, 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]')
            [CompletionResult]::new('--glyphs', '--glyphs', [CompletionResultType]::ParameterName, 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]')
            [CompletionResult]::new('--screen', '--screen', [CompletionResultType]::ParameterName, 'Screen to open first')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of ~/.config/swapadm/config.toml')
            [CompletionResult]::new('--ascii', '--ascii', [CompletionResultType]::ParameterName, 'Draw with ASCII only, as --glyphs ascii')
            [CompletionResult]::new('--no-mouse', '--no-mouse', [CompletionResultType]::ParameterName, 'Leave the mouse to the terminal')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show the state of swap on one page')
            [CompletionResult]::new('devices', 'devices', [CompletionResultType]::ParameterValue, 'Show swap areas: size, use, priority and backing device')
            [CompletionResult]::new('groups', 'groups', [CompletionResultType]::ParameterValue, 'Show priority groups, and how evenly each is used')
            [CompletionResult]::new('zram', 'zram', [CompletionResultType]::ParameterValue, 'Show zram devices and their compression ratios; subcommands change them')
            [CompletionResult]::new('zswap', 'zswap', [CompletionResultType]::ParameterValue, 'Show what zswap stores, and what it rejected')
            [CompletionResult]::new('paging', 'paging', [CompletionResultType]::ParameterValue, 'Show swap traffic, page faults and reclaim')
            [CompletionResult]::new('processes', 'processes', [CompletionResultType]::ParameterValue, 'Show processes with pages in swap')
            [CompletionResult]::new('process', 'process', [CompletionResultType]::ParameterValue, 'Show one process in detail: its mappings in swap and its waits')
            [CompletionResult]::new('cgroups', 'cgroups', [CompletionResultType]::ParameterValue, 'Show swap, limits and pressure of cgroups')
            [CompletionResult]::new('cgroup', 'cgroup', [CompletionResultType]::ParameterValue, 'Show one cgroup in detail: events, limits, processes, NUMA nodes and container')
            [CompletionResult]::new('pressure', 'pressure', [CompletionResultType]::ParameterValue, 'Show the share of time in which tasks stalled on memory, I/O and CPU (PSI)')
            [CompletionResult]::new('mthp', 'mthp', [CompletionResultType]::ParameterValue, 'Show how often large folios are swapped out whole or split, by size')
            [CompletionResult]::new('readahead', 'readahead', [CompletionResultType]::ParameterValue, 'Show the hit rate of swap readahead')
            [CompletionResult]::new('clusters', 'clusters', [CompletionResultType]::ParameterValue, 'Show how slots are spread over clusters, and which folio sizes still fit')
            [CompletionResult]::new('numa', 'numa', [CompletionResultType]::ParameterValue, 'Show memory, swap cache and swap devices by NUMA node')
            [CompletionResult]::new('knobs', 'knobs', [CompletionResultType]::ParameterValue, 'Show kernel settings that control swapping, with range and default')
            [CompletionResult]::new('report', 'report', [CompletionResultType]::ParameterValue, 'Print all tables, or the tables named')
            [CompletionResult]::new('metrics', 'metrics', [CompletionResultType]::ParameterValue, 'Print the figures as metrics for Prometheus, or answer its scrapes')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Open the terminal interface, or print its screens as lines')
            [CompletionResult]::new('advise', 'advise', [CompletionResultType]::ParameterValue, 'Report problems with swap, the figures behind them, and how to fix them')
            [CompletionResult]::new('selection', 'selection', [CompletionResultType]::ParameterValue, 'Show which area the kernel fills next, or would fill with other priorities')
            [CompletionResult]::new('what-if', 'what-if', [CompletionResultType]::ParameterValue, 'Predict how this machine fills swap with another kernel, priorities or areas')
            [CompletionResult]::new('cost', 'cost', [CompletionResultType]::ParameterValue, 'Show the metadata memory of swap areas, and what swapoff would move')
            [CompletionResult]::new('sources', 'sources', [CompletionResultType]::ParameterValue, 'Show which kernel files could be read, and how to make the others readable')
            [CompletionResult]::new('setup', 'setup', [CompletionResultType]::ParameterValue, 'Propose swap for this machine, explain each choice, and set it up')
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Bring swap into the state that a file describes, or show the differences')
            [CompletionResult]::new('save', 'save', [CompletionResultType]::ParameterValue, 'Print the present state of swap as a file for apply')
            [CompletionResult]::new('on', 'on', [CompletionResultType]::ParameterValue, 'Enable swap areas (swapon)')
            [CompletionResult]::new('off', 'off', [CompletionResultType]::ParameterValue, 'Disable swap areas (swapoff), moving their contents to memory and other areas')
            [CompletionResult]::new('priority', 'priority', [CompletionResultType]::ParameterValue, 'Change priorities of swap areas; each area is disabled and enabled again')
            [CompletionResult]::new('rebalance', 'rebalance', [CompletionResultType]::ParameterValue, 'Rebalance swap areas by speed class, unless they are balanced already')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Change kernel settings that control swapping')
            [CompletionResult]::new('reset', 'reset', [CompletionResultType]::ParameterValue, 'Reset kernel settings to their defaults')
            [CompletionResult]::new('persist', 'persist', [CompletionResultType]::ParameterValue, 'Show what will differ after the next boot')
            [CompletionResult]::new('journal', 'journal', [CompletionResultType]::ParameterValue, 'List changes made by swapadm, and how each ended')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Undo a change')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Repair an interrupted change')
            [CompletionResult]::new('stress', 'stress', [CompletionResultType]::ParameterValue, 'Run a workload under a memory limit, and measure how the kernel swaps')
            [CompletionResult]::new('experiment', 'experiment', [CompletionResultType]::ParameterValue, 'Run a workload in several cases, and compare them')
            [CompletionResult]::new('results', 'results', [CompletionResultType]::ParameterValue, 'List, show, compare, export and remove stored results of the stress lab')
            [CompletionResult]::new('machine', 'machine', [CompletionResultType]::ParameterValue, 'List, print, check and write simulated machines')
            [CompletionResult]::new('learn', 'learn', [CompletionResultType]::ParameterValue, 'Learn how swap works: lessons on simulated machines, with predictions before results')
            [CompletionResult]::new('demo', 'demo', [CompletionResultType]::ParameterValue, 'Open the interface on a simulated machine under a load that shows something')
            [CompletionResult]::new('record', 'record', [CompletionResultType]::ParameterValue, 'Record snapshots in a file')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Open a recording in the interface, or print one of its tables')
            [CompletionResult]::new('capture', 'capture', [CompletionResultType]::ParameterValue, 'Copy the kernel files that swapadm reads into a directory, for --sysroot')
            [CompletionResult]::new('file', 'file', [CompletionResultType]::ParameterValue, 'Create, resize and remove swap files')
            [CompletionResult]::new('format', 'format', [CompletionResultType]::ParameterValue, 'Write a swap header to a device or file (mkswap)')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'swapadm;status' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;devices' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''size>1M''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;groups' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''areas>1''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;zram' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''disksize>1M''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Include empty rows')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Include empty rows')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('swap', 'swap', [CompletionResultType]::ParameterValue, 'Create a zram device and enable it as swap')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Create a zram device without swap on it (zram swap creates one and enables it)')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove a zram device')
            [CompletionResult]::new('resize', 'resize', [CompletionResultType]::ParameterValue, 'Resize a zram device; swap on it is disabled meanwhile')
            [CompletionResult]::new('algorithm', 'algorithm', [CompletionResultType]::ParameterValue, 'Change the compression algorithm of a zram device; swap on it is disabled meanwhile')
            [CompletionResult]::new('limit', 'limit', [CompletionResultType]::ParameterValue, 'Limit the memory of a zram device, also while it is in use')
            [CompletionResult]::new('compact', 'compact', [CompletionResultType]::ParameterValue, 'Make a zram device return fragmented memory')
            [CompletionResult]::new('idle', 'idle', [CompletionResultType]::ParameterValue, 'Mark pages of a zram device as idle, for writeback and recompress')
            [CompletionResult]::new('writeback', 'writeback', [CompletionResultType]::ParameterValue, 'Write pages of a zram device to its backing device')
            [CompletionResult]::new('recompress', 'recompress', [CompletionResultType]::ParameterValue, 'Compress pages of a zram device again with its second algorithm')
            [CompletionResult]::new('upkeep', 'upkeep', [CompletionResultType]::ParameterValue, 'Do a round of upkeep: mark idle pages, recompress, write back within a budget, compact')
            break
        }
        'swapadm;zram;swap' {
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory')
            [CompletionResult]::new('--size', '--size', [CompletionResultType]::ParameterName, 'Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Compression algorithm [default: chosen by the kernel]')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Compression algorithm [default: chosen by the kernel]')
            [CompletionResult]::new('--second-algorithm', '--second-algorithm', [CompletionResultType]::ParameterName, 'Secondary algorithm for recompress (if the kernel supports recompression)')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Memory limit, such as 512M, 2G or 25% of memory')
            [CompletionResult]::new('--backing', '--backing', [CompletionResultType]::ParameterName, 'Backing device for writeback (if the kernel supports writeback)')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Priority: 0 to 32767, or default (assigned by the kernel)')
            [CompletionResult]::new('--priority', '--priority', [CompletionResultType]::ParameterName, 'Priority: 0 to 32767, or default (assigned by the kernel)')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given')
            [CompletionResult]::new('--discard', '--discard', [CompletionResultType]::ParameterName, 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Label, at most 15 bytes')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;add' {
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory')
            [CompletionResult]::new('--size', '--size', [CompletionResultType]::ParameterName, 'Size of the device, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Compression algorithm [default: chosen by the kernel]')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Compression algorithm [default: chosen by the kernel]')
            [CompletionResult]::new('--second-algorithm', '--second-algorithm', [CompletionResultType]::ParameterName, 'Secondary algorithm for recompress (if the kernel supports recompression)')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Memory limit, such as 512M, 2G or 25% of memory')
            [CompletionResult]::new('--backing', '--backing', [CompletionResultType]::ParameterName, 'Backing device for writeback (if the kernel supports writeback)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;remove' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;resize' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;algorithm' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;limit' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;compact' {
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m); what is done stays')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;zram;idle' {
            [CompletionResult]::new('--age', '--age', [CompletionResultType]::ParameterName, 'Only pages not used for TIME, such as 90, 30m or 1h')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m); what is done stays')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;zram;writeback' {
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Set the writeback limit of the device; it stays until changed')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m); what is done stays')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;zram;recompress' {
            [CompletionResult]::new('--threshold', '--threshold', [CompletionResultType]::ParameterName, 'Only pages whose compressed size is above BYTES')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Use this second algorithm of the device [default: all of them]')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Use this second algorithm of the device [default: all of them]')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m); what is done stays')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;zram;upkeep' {
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'Take the policy from the upkeep table of a file that apply reads [default: /etc/swapadm/wanted.toml, if it exists]')
            [CompletionResult]::new('--age', '--age', [CompletionResultType]::ParameterName, 'Pages not used for TIME, such as 90, 30m or 1h, count as idle [default: that of the policy, or 1h]')
            [CompletionResult]::new('--budget', '--budget', [CompletionResultType]::ParameterName, 'Write idle and incompressible pages to the backing device, at most SIZE in 24 hours for each device [default: that of the policy]')
            [CompletionResult]::new('--compact-from', '--compact-from', [CompletionResultType]::ParameterName, 'Compact a device if this share of its memory is fragmented [default: that of the policy, or 10]')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m); what is done stays')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;zswap' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''pool>1M''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;paging' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''in_rate>1M''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;processes' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''pid>1''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('--pss', '--pss', [CompletionResultType]::ParameterName, 'Add the proportional share of swap; reads the page tables of each process')
            [CompletionResult]::new('--tree', '--tree', [CompletionResultType]::ParameterName, 'Show children below their parents')
            [CompletionResult]::new('--users', '--users', [CompletionResultType]::ParameterName, 'Sum by user instead of listing processes')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Include processes without swap')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Include processes without swap')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;process' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show memory, swap, waits, cgroup and mappings of a process; reads its page tables')
            [CompletionResult]::new('swapin', 'swapin', [CompletionResultType]::ParameterValue, 'Bring the private pages of a process back from swap, if memory and its cgroup have room')
            break
        }
        'swapadm;process;show' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Include mappings, or the processes of a cgroup, without swap')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Include mappings, or the processes of a cgroup, without swap')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;process;swapin' {
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m); what is done stays')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;cgroups' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''swap>1M''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Include empty rows')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Include empty rows')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;cgroup' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show usage, limits, events, container, processes, NUMA nodes and LRU ages of a cgroup')
            [CompletionResult]::new('reclaim', 'reclaim', [CompletionResultType]::ParameterValue, 'Reclaim memory of a cgroup, the coldest pages first (memory.reclaim: cgroup v2, kernel 5.19 and later)')
            break
        }
        'swapadm;cgroup;show' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Include mappings, or the processes of a cgroup, without swap')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Include mappings, or the processes of a cgroup, without swap')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;cgroup;reclaim' {
            [CompletionResult]::new('--source', '--source', [CompletionResultType]::ParameterName, 'Source: cold memory, or the zswap pool of the cgroup, which is written to the areas behind it (no release can do the latter yet)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m); what is done stays')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;pressure' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''avg10>10%''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;mthp' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''size>1M''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;readahead' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''page_cluster>1''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;clusters' {
            [CompletionResult]::new('--view', '--view', [CompletionResultType]::ParameterName, 'Use this source instead of the best available one')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Show each slot of this cluster of the area, counted from 0; --json adds all that is known')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('--map', '--map', [CompletionResultType]::ParameterName, 'Draw a map of each area')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;numa' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''node>1''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;knobs' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''name~swap''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;report' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Include empty rows')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Include empty rows')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;metrics' {
            [CompletionResult]::new('--textfile', '--textfile', [CompletionResultType]::ParameterName, 'Write the metrics to FILE for the textfile collector of node_exporter')
            [CompletionResult]::new('--listen', '--listen', [CompletionResultType]::ParameterName, 'Answer scrapes at http://ADDRESS/metrics: a port, for this machine only, or IP:PORT')
            [CompletionResult]::new('--cgroup', '--cgroup', [CompletionResultType]::ParameterName, 'Include this cgroup, such as /system.slice/db.service; can be given several times')
            [CompletionResult]::new('--process', '--process', [CompletionResultType]::ParameterName, 'Include the sum of all processes with this name; can be given several times')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;watch' {
            [CompletionResult]::new('--picture', '--picture', [CompletionResultType]::ParameterName, 'Write a picture of the screen to FILE as SVG instead of opening the interface')
            [CompletionResult]::new('--size', '--size', [CompletionResultType]::ParameterName, 'Columns and rows of the picture, from 30x6 to 400x200')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N samples; a picture takes 2 of a live machine, and all of a recording')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N samples; a picture takes 2 of a live machine, and all of a recording')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Seconds between samples [env: SWAPADM_INTERVAL]')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Seconds between samples [env: SWAPADM_INTERVAL]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]')
            [CompletionResult]::new('--theme', '--theme', [CompletionResultType]::ParameterName, 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]')
            [CompletionResult]::new('--glyphs', '--glyphs', [CompletionResultType]::ParameterName, 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]')
            [CompletionResult]::new('--screen', '--screen', [CompletionResultType]::ParameterName, 'Screen to open first')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of ~/.config/swapadm/config.toml')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Print lines instead of drawing, for screen readers, logs and serial consoles')
            [CompletionResult]::new('--ascii', '--ascii', [CompletionResultType]::ParameterName, 'Draw with ASCII only, as --glyphs ascii')
            [CompletionResult]::new('--no-mouse', '--no-mouse', [CompletionResultType]::ParameterName, 'Leave the mouse to the terminal')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;advise' {
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain one rule, also if it finds nothing')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Read thresholds from this settings file instead of ~/.config/swapadm/config.toml')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Exit with 1 for warnings, with 7 for critical findings; notes do not count')
            [CompletionResult]::new('--rules', '--rules', [CompletionResultType]::ParameterName, 'List all rules: what each checks, and its result')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print findings with their figures, and the result of each rule, as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print findings with their figures, and the result of each rule, as JSON')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use the default thresholds')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;selection' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('--node', '--node', [CompletionResultType]::ParameterName, 'Show only the order of this NUMA node')
            [CompletionResult]::new('--cgroup', '--cgroup', [CompletionResultType]::ParameterName, 'Show only areas that this cgroup may use, on kernels with swap tiers (no release has them yet)')
            [CompletionResult]::new('--folio', '--folio', [CompletionResultType]::ParameterName, 'Show shares of large folios of this size, such as 64K or 2M, instead of single pages')
            [CompletionResult]::new('--with', '--with', [CompletionResultType]::ParameterName, 'Also show the order with these priorities: AREA is a path, a name, LABEL= or UUID=, N is 0 to 32767 or default; changes nothing')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''position>1''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;what-if' {
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'Model this kernel: 4.13, 5.10, 6.1, 6.12, 6.18 or 7.2, or one with a single design changed, such as 6.12+scan-one; swapadm-what-if(8) lists them')
            [CompletionResult]::new('--priority', '--priority', [CompletionResultType]::ParameterName, 'Use these priorities: AREA is a path, a name, LABEL= or UUID=, N is 0 to 32767 or default')
            [CompletionResult]::new('--add', '--add', [CompletionResultType]::ParameterName, 'Add an area: its size and device (zram, ssd, nvme, disk, file or file-on-disk), and if wanted its priority and NUMA node, such as 16G@nvme,priority=5,node=1')
            [CompletionResult]::new('--load', '--load', [CompletionResultType]::ParameterName, 'Assume this workload: a built-in one, one of your own by its name, or a file (a path with a / or .toml) [default: processes that fill swap]')
            [CompletionResult]::new('--rate', '--rate', [CompletionResultType]::ParameterName, 'Growth of used swap per second, such as 10M [default: measured on this machine, or in the recording]')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('--like-now', '--like-now', [CompletionResultType]::ParameterName, 'Assume the swap traffic of this machine, measured for 3 seconds, or that of a recording')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the tables as JSON, with all columns')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the tables as JSON, with all columns')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;cost' {
            [CompletionResult]::new('--plan', '--plan', [CompletionResultType]::ParameterName, 'Also estimate areas of these sizes')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;sources' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Repeat every SECS seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''denied>1''; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;setup' {
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Kind of machine [default: guessed from battery, desktop, programs and board]')
            [CompletionResult]::new('--with', '--with', [CompletionResultType]::ParameterName, 'Choose a value, such as compression=zram, size=4G, disk=8G or boot=no; can be repeated')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--no-sample', '--no-sample', [CompletionResultType]::ParameterName, 'Do not read memory of processes to measure the compression ratio')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;apply' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Change nothing; exit with 1 if something differs')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Change nothing, and show present (-) and wanted (+) values; exit with 1 if something differs')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;save' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--boot', '--boot', [CompletionResultType]::ParameterName, 'Print the state after the next boot, as configuration files have it')
            [CompletionResult]::new('--cgroups', '--cgroups', [CompletionResultType]::ParameterName, 'Include the limits of cgroups')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;on' {
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Priority: 0 to 32767, or default (assigned by the kernel)')
            [CompletionResult]::new('--priority', '--priority', [CompletionResultType]::ParameterName, 'Priority: 0 to 32767, or default (assigned by the kernel)')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given')
            [CompletionResult]::new('--discard', '--discard', [CompletionResultType]::ParameterName, 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Enable all swap areas in /etc/fstab, except those marked noauto')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Enable all swap areas in /etc/fstab, except those marked noauto')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;off' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Disable all active areas')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Disable all active areas')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;priority' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;rebalance' {
            [CompletionResult]::new('--skew', '--skew', [CompletionResultType]::ParameterName, 'With spread: correct an imbalance of PERCENT or more; swapadm groups shows it [default: 20]')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Only check: exit status 1 if rebalancing is needed, else 0; needs no root')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;set' {
            [CompletionResult]::new('--cgroup', '--cgroup', [CompletionResultType]::ParameterName, 'Change settings of this cgroup, such as memory.swap.max')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;reset' {
            [CompletionResult]::new('--cgroup', '--cgroup', [CompletionResultType]::ParameterName, 'Remove limits of this cgroup, such as memory.swap.max')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;persist' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Compare the running machine with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d')
            break
        }
        'swapadm;persist;check' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;journal' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;undo' {
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;recover' {
            [CompletionResult]::new('--dismiss', '--dismiss', [CompletionResultType]::ParameterName, 'Close this plan without repairing it, if its area is gone for good; swapadm journal lists the numbers of plans')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m); what is done stays')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT; what is done stays (kernels with PSI)')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;stress' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Run a workload under a memory limit, and measure how the kernel swaps')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List built-in workloads and your own')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print a workload as a file to edit')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'Explain the keys of a workload file')
            break
        }
        'swapadm;stress;run' {
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Change a key of the workload: KEY=VALUE for all its processes, 2.KEY=VALUE for those of its second group of processes')
            [CompletionResult]::new('--with', '--with', [CompletionResultType]::ParameterName, 'Change a key of the workload: KEY=VALUE for all its processes, 2.KEY=VALUE for those of its second group of processes')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Memory limit of all processes together, such as 512M or 25% of available memory; at least 8M plus 512K for each process')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Memory limit of all processes together, such as 512M or 25% of available memory; at least 8M plus 512K for each process')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'Add temporary swap on zram: 1G, or 4x1G for four devices [default: 1G if no swap is active]')
            [CompletionResult]::new('--zram', '--zram', [CompletionResultType]::ParameterName, 'Add temporary swap on zram: 1G, or 4x1G for four devices [default: 1G if no swap is active]')
            [CompletionResult]::new('--file', '--file', [CompletionResultType]::ParameterName, 'Add a temporary swap file: 1G, or 2x512M for two files; the kernel uses readahead for files, and hardly ever for zram')
            [CompletionResult]::new('--file-in', '--file-in', [CompletionResultType]::ParameterName, 'Directory of temporary swap files [default: /var/tmp]')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Compression algorithm of temporary zram devices [default: chosen by the kernel]')
            [CompletionResult]::new('--priority', '--priority', [CompletionResultType]::ParameterName, 'Priority of temporary areas: 0 to 32767, or the word default; without it, above all active areas')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Change a kernel setting during the run')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Change a kernel setting during the run')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Repeat the run N times')
            [CompletionResult]::new('--repeat', '--repeat', [CompletionResultType]::ParameterName, 'Repeat the run N times')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'Random seed: the same seed gives the same accesses and contents')
            [CompletionResult]::new('--min-available', '--min-available', [CompletionResultType]::ParameterName, 'Stop when available memory falls below SIZE [default: 5% of memory, but at least 64M and at most 1G]')
            [CompletionResult]::new('--min-swap', '--min-swap', [CompletionResultType]::ParameterName, 'Stop when free swap falls below SIZE [default: 1% of the swap that is free at the start]')
            [CompletionResult]::new('--title', '--title', [CompletionResultType]::ParameterName, 'Title of the result [default: name of the workload]')
            [CompletionResult]::new('--on', '--on', [CompletionResultType]::ParameterName, 'Run on these simulated machines instead of this one: built-in ones, or files (paths with a / or .toml)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop the run after TIME (in seconds, or such as 5m) [default: key at_most of the workload]')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop the run when PSI "full" of memory is above PERCENT for 5 seconds while the whole machine reclaims memory [default: 20]')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--whole-machine', '--whole-machine', [CompletionResultType]::ParameterName, 'Run without a memory limit, and put the whole machine under pressure')
            [CompletionResult]::new('--no-keep', '--no-keep', [CompletionResultType]::ParameterName, 'Do not store the result')
            [CompletionResult]::new('--usemem-lines', '--usemem-lines', [CompletionResultType]::ParameterName, 'Print the results of any workload as lines of the benchmark program usemem (vm-scalability), not as tables')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only show the run, its temporary areas and the limits that stop it')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the measurement and the checks as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the measurement and the checks as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;stress;list' {
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;stress;show' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;stress;keys' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;experiment' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Run all cases of an experiment in random order, and compare them')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List built-in experiments and your own')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print an experiment as a file to edit')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'Explain the keys of an experiment file')
            break
        }
        'swapadm;experiment;run' {
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Memory limit of each run, such as 512M or 5% of available memory; temporary areas are scaled in proportion')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Memory limit of each run, such as 512M or 5% of available memory; temporary areas are scaled in proportion')
            [CompletionResult]::new('--scale', '--scale', [CompletionResultType]::ParameterName, 'Multiply the memory limit of the experiment by TIMES')
            [CompletionResult]::new('--kind', '--kind', [CompletionResultType]::ParameterName, 'Temporary areas where a case does not choose: zram, file, or one kind for each area such as zram,file [default: that of the experiment]')
            [CompletionResult]::new('--file-in', '--file-in', [CompletionResultType]::ParameterName, 'Directory of temporary swap files [default: /var/tmp]')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Repeat each case N times [default: that of the experiment]')
            [CompletionResult]::new('--repeat', '--repeat', [CompletionResultType]::ParameterName, 'Repeat each case N times [default: that of the experiment]')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Run only cases where FACTOR has one of these values')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'Random seed, also for the order of the runs')
            [CompletionResult]::new('--on', '--on', [CompletionResultType]::ParameterName, 'Run on these simulated machines instead of this one: built-in ones, or files (paths with a / or .toml)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop each run after TIME (in seconds, or such as 5m) [default: key at_most of the workload]')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop a run when PSI "full" of memory is above PERCENT for 5 seconds [default: 20]')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--published', '--published', [CompletionResultType]::ParameterName, 'Also print published figures: of experiments A to E, and of files that have them')
            [CompletionResult]::new('--no-keep', '--no-keep', [CompletionResultType]::ParameterName, 'Do not store the experiment and the results of its cases')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only show the cases, their temporary areas and the checks')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the measurement and the checks as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the measurement and the checks as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;experiment;list' {
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;experiment;show' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;experiment;keys' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;results' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''figure~latency''')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in the units of JSON')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print tables in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below each table')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Include empty rows, and rows that are in the tables of areas, folios or latency too')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Include empty rows, and rows that are in the tables of areas, folios or latency too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List stored results, newest first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show what a run or an experiment measured')
            [CompletionResult]::new('compare', 'compare', [CompletionResultType]::ParameterValue, 'Compare two runs or two experiments, and mark differences larger than noise')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Export runs or experiments as JSON, CSV, Markdown or HTML')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove stored results; an experiment is removed with its runs')
            break
        }
        'swapadm;results;list' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''figure~latency''')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in the units of JSON')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print tables in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below each table')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Include empty rows, and rows that are in the tables of areas, folios or latency too')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Include empty rows, and rows that are in the tables of areas, folios or latency too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;results;show' {
            [CompletionResult]::new('--published', '--published', [CompletionResultType]::ParameterName, 'Also print published figures of an experiment, if there are any')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in the units of JSON')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print tables in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below each table')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Include empty rows, and rows that are in the tables of areas, folios or latency too')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Include empty rows, and rows that are in the tables of areas, folios or latency too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;results;compare' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows, such as ''figure~latency''')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON: figures in the unit beside them, all else in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in the units of JSON')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print tables in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below each table')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Include empty rows, and rows that are in the tables of areas, folios or latency too')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Include empty rows, and rows that are in the tables of areas, folios or latency too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;results;export' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'File to create [default: standard output]')
            [CompletionResult]::new('--published', '--published', [CompletionResultType]::ParameterName, 'Also write figures that others have published for the same experiment; JSON always has them')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;results;remove' {
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask before removing an experiment with its runs')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask before removing an experiment with its runs')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;machine' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List built-in machines')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print a machine as a file to edit')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Check machine files, and report each error with line, key and accepted values')
            [CompletionResult]::new('like-this', 'like-this', [CompletionResultType]::ParameterValue, 'Print a machine file with the kernel, memory, CPUs and swap areas of this machine')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'Explain the keys of a machine file')
            [CompletionResult]::new('costs', 'costs', [CompletionResultType]::ParameterValue, 'Print the built-in costs of single actions, from which times are estimated, as a file to edit')
            break
        }
        'swapadm;machine;list' {
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;machine;show' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;machine;check' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;machine;like-this' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--machine', '--machine', [CompletionResultType]::ParameterName, 'Read a simulated machine instead of this one: a built-in one, or a machine file (a path with a / or .toml); see swapadm-machine(8)')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Time in the recording: first, last, +90s (after the first), -5m (before the last), 07:25:00, 2026-11-21T07:25:00 (UTC). Without a command, the interface opens at that time, without the samples before')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;machine;keys' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;machine;costs' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;learn' {
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'Random seed of the lesson, from 0: another seed gives other sizes and figures')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Print lines and read answers from standard input instead of drawing')
            [CompletionResult]::new('--present', '--present', [CompletionResultType]::ParameterName, 'Present to a class: more room for the lesson, and no progress is kept')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the list as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the list as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print a lesson as a file to edit')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Print the questions of a lesson as Markdown, with the answers of the model')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Check lesson files and play them, and report each error with line, key and accepted values')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'Explain the keys of a lesson file')
            break
        }
        'swapadm;learn;show' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;learn;export' {
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'Random seed of the lesson, from 0')
            [CompletionResult]::new('--no-answers', '--no-answers', [CompletionResultType]::ParameterName, 'Leave the answers out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;learn;check' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;learn;keys' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;demo' {
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Seconds between samples [env: SWAPADM_INTERVAL]')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Seconds between samples [env: SWAPADM_INTERVAL]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]')
            [CompletionResult]::new('--theme', '--theme', [CompletionResultType]::ParameterName, 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]')
            [CompletionResult]::new('--glyphs', '--glyphs', [CompletionResultType]::ParameterName, 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]')
            [CompletionResult]::new('--screen', '--screen', [CompletionResultType]::ParameterName, 'Screen to open first')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of ~/.config/swapadm/config.toml')
            [CompletionResult]::new('--ascii', '--ascii', [CompletionResultType]::ParameterName, 'Draw with ASCII only, as --glyphs ascii')
            [CompletionResult]::new('--no-mouse', '--no-mouse', [CompletionResultType]::ParameterName, 'Leave the mouse to the terminal')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;record' {
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Seconds between snapshots')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Seconds between snapshots')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N snapshots')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N snapshots')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;replay' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME or all; +NAME adds to the default columns, -NAME removes')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only matching rows: COLUMN>VALUE, COLUMN~TEXT; & and | join conditions, a bare word matches any column')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after N reports')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colors: auto, always, true (24-bit), 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]')
            [CompletionResult]::new('--theme', '--theme', [CompletionResultType]::ParameterName, 'Colors: dark, light, contrast or terminal [env: SWAPADM_THEME]')
            [CompletionResult]::new('--glyphs', '--glyphs', [CompletionResultType]::ParameterName, 'Characters: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]')
            [CompletionResult]::new('--screen', '--screen', [CompletionResultType]::ParameterName, 'Screen to open first')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of ~/.config/swapadm/config.toml')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON in base units; a missing value is null, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print comma-separated values in base units; yes and no are 1 and 0')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Print the table in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes in bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Omit the headings')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Separate columns by one space, print all columns even if too wide, write spaces in values as \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Print the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain missing values below the table')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meanings')
            [CompletionResult]::new('--ascii', '--ascii', [CompletionResultType]::ParameterName, 'Draw with ASCII only, as --glyphs ascii')
            [CompletionResult]::new('--no-mouse', '--no-mouse', [CompletionResultType]::ParameterName, 'Leave the mouse to the terminal')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;capture' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--scrub', '--scrub', [CompletionResultType]::ParameterName, 'Omit command lines and the names of host, users, processes and files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;file' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Create a swap file; --on also enables it')
            [CompletionResult]::new('resize', 'resize', [CompletionResultType]::ParameterValue, 'Resize a swap file, keeping label and UUID; an active one is disabled meanwhile')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove a swap file; an active one is disabled first')
            break
        }
        'swapadm;file;create' {
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Label, at most 15 bytes')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Label, at most 15 bytes')
            [CompletionResult]::new('-U', '-U ', [CompletionResultType]::ParameterName, 'UUID, instead of a random one')
            [CompletionResult]::new('--uuid', '--uuid', [CompletionResultType]::ParameterName, 'UUID, instead of a random one')
            [CompletionResult]::new('--page-size', '--page-size', [CompletionResultType]::ParameterName, 'Page size of the machine that will use the area, 4096 to 65536 [default: that of this machine]')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Priority: 0 to 32767, or default (assigned by the kernel)')
            [CompletionResult]::new('--priority', '--priority', [CompletionResultType]::ParameterName, 'Priority: 0 to 32767, or default (assigned by the kernel)')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given')
            [CompletionResult]::new('--discard', '--discard', [CompletionResultType]::ParameterName, 'Discard policy (TRIM): none, once, pages or both; both if no WHEN is given')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--on', '--on', [CompletionResultType]::ParameterName, 'Also enable it as swap')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;file;resize' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;file;remove' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'Pause swapoff while PSI "full" of memory (avg10) is above PERCENT (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Also apply the change at boot')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;format' {
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Label, at most 15 bytes')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Label, at most 15 bytes')
            [CompletionResult]::new('-U', '-U ', [CompletionResultType]::ParameterName, 'UUID, instead of a random one')
            [CompletionResult]::new('--uuid', '--uuid', [CompletionResultType]::ParameterName, 'UUID, instead of a random one')
            [CompletionResult]::new('--page-size', '--page-size', [CompletionResultType]::ParameterName, 'Page size of the machine that will use the area, 4096 to 65536 [default: that of this machine]')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Stop after TIME (in seconds, or such as 5m) and roll back (the rollback itself may take longer); data that was already moved stays in memory')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Stop when PSI "full" of memory (avg10) is above PERCENT, and roll back (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (in seconds, or such as 5m) while another swapadm changes swap, then plan again; stop if the new plan differs from the one shown, unless --yes is given')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Accept a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask for confirmation')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the plan and its outcome as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;help' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show the state of swap on one page')
            [CompletionResult]::new('devices', 'devices', [CompletionResultType]::ParameterValue, 'Show swap areas: size, use, priority and backing device')
            [CompletionResult]::new('groups', 'groups', [CompletionResultType]::ParameterValue, 'Show priority groups, and how evenly each is used')
            [CompletionResult]::new('zram', 'zram', [CompletionResultType]::ParameterValue, 'Show zram devices and their compression ratios; subcommands change them')
            [CompletionResult]::new('zswap', 'zswap', [CompletionResultType]::ParameterValue, 'Show what zswap stores, and what it rejected')
            [CompletionResult]::new('paging', 'paging', [CompletionResultType]::ParameterValue, 'Show swap traffic, page faults and reclaim')
            [CompletionResult]::new('processes', 'processes', [CompletionResultType]::ParameterValue, 'Show processes with pages in swap')
            [CompletionResult]::new('process', 'process', [CompletionResultType]::ParameterValue, 'Show one process in detail: its mappings in swap and its waits')
            [CompletionResult]::new('cgroups', 'cgroups', [CompletionResultType]::ParameterValue, 'Show swap, limits and pressure of cgroups')
            [CompletionResult]::new('cgroup', 'cgroup', [CompletionResultType]::ParameterValue, 'Show one cgroup in detail: events, limits, processes, NUMA nodes and container')
            [CompletionResult]::new('pressure', 'pressure', [CompletionResultType]::ParameterValue, 'Show the share of time in which tasks stalled on memory, I/O and CPU (PSI)')
            [CompletionResult]::new('mthp', 'mthp', [CompletionResultType]::ParameterValue, 'Show how often large folios are swapped out whole or split, by size')
            [CompletionResult]::new('readahead', 'readahead', [CompletionResultType]::ParameterValue, 'Show the hit rate of swap readahead')
            [CompletionResult]::new('clusters', 'clusters', [CompletionResultType]::ParameterValue, 'Show how slots are spread over clusters, and which folio sizes still fit')
            [CompletionResult]::new('numa', 'numa', [CompletionResultType]::ParameterValue, 'Show memory, swap cache and swap devices by NUMA node')
            [CompletionResult]::new('knobs', 'knobs', [CompletionResultType]::ParameterValue, 'Show kernel settings that control swapping, with range and default')
            [CompletionResult]::new('report', 'report', [CompletionResultType]::ParameterValue, 'Print all tables, or the tables named')
            [CompletionResult]::new('metrics', 'metrics', [CompletionResultType]::ParameterValue, 'Print the figures as metrics for Prometheus, or answer its scrapes')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Open the terminal interface, or print its screens as lines')
            [CompletionResult]::new('advise', 'advise', [CompletionResultType]::ParameterValue, 'Report problems with swap, the figures behind them, and how to fix them')
            [CompletionResult]::new('selection', 'selection', [CompletionResultType]::ParameterValue, 'Show which area the kernel fills next, or would fill with other priorities')
            [CompletionResult]::new('what-if', 'what-if', [CompletionResultType]::ParameterValue, 'Predict how this machine fills swap with another kernel, priorities or areas')
            [CompletionResult]::new('cost', 'cost', [CompletionResultType]::ParameterValue, 'Show the metadata memory of swap areas, and what swapoff would move')
            [CompletionResult]::new('sources', 'sources', [CompletionResultType]::ParameterValue, 'Show which kernel files could be read, and how to make the others readable')
            [CompletionResult]::new('setup', 'setup', [CompletionResultType]::ParameterValue, 'Propose swap for this machine, explain each choice, and set it up')
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Bring swap into the state that a file describes, or show the differences')
            [CompletionResult]::new('save', 'save', [CompletionResultType]::ParameterValue, 'Print the present state of swap as a file for apply')
            [CompletionResult]::new('on', 'on', [CompletionResultType]::ParameterValue, 'Enable swap areas (swapon)')
            [CompletionResult]::new('off', 'off', [CompletionResultType]::ParameterValue, 'Disable swap areas (swapoff), moving their contents to memory and other areas')
            [CompletionResult]::new('priority', 'priority', [CompletionResultType]::ParameterValue, 'Change priorities of swap areas; each area is disabled and enabled again')
            [CompletionResult]::new('rebalance', 'rebalance', [CompletionResultType]::ParameterValue, 'Rebalance swap areas by speed class, unless they are balanced already')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Change kernel settings that control swapping')
            [CompletionResult]::new('reset', 'reset', [CompletionResultType]::ParameterValue, 'Reset kernel settings to their defaults')
            [CompletionResult]::new('persist', 'persist', [CompletionResultType]::ParameterValue, 'Show what will differ after the next boot')
            [CompletionResult]::new('journal', 'journal', [CompletionResultType]::ParameterValue, 'List changes made by swapadm, and how each ended')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Undo a change')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Repair an interrupted change')
            [CompletionResult]::new('stress', 'stress', [CompletionResultType]::ParameterValue, 'Run a workload under a memory limit, and measure how the kernel swaps')
            [CompletionResult]::new('experiment', 'experiment', [CompletionResultType]::ParameterValue, 'Run a workload in several cases, and compare them')
            [CompletionResult]::new('results', 'results', [CompletionResultType]::ParameterValue, 'List, show, compare, export and remove stored results of the stress lab')
            [CompletionResult]::new('machine', 'machine', [CompletionResultType]::ParameterValue, 'List, print, check and write simulated machines')
            [CompletionResult]::new('learn', 'learn', [CompletionResultType]::ParameterValue, 'Learn how swap works: lessons on simulated machines, with predictions before results')
            [CompletionResult]::new('demo', 'demo', [CompletionResultType]::ParameterValue, 'Open the interface on a simulated machine under a load that shows something')
            [CompletionResult]::new('record', 'record', [CompletionResultType]::ParameterValue, 'Record snapshots in a file')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Open a recording in the interface, or print one of its tables')
            [CompletionResult]::new('capture', 'capture', [CompletionResultType]::ParameterValue, 'Copy the kernel files that swapadm reads into a directory, for --sysroot')
            [CompletionResult]::new('file', 'file', [CompletionResultType]::ParameterValue, 'Create, resize and remove swap files')
            [CompletionResult]::new('format', 'format', [CompletionResultType]::ParameterValue, 'Write a swap header to a device or file (mkswap)')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'swapadm;help;status' {
            break
        }
        'swapadm;help;devices' {
            break
        }
        'swapadm;help;groups' {
            break
        }
        'swapadm;help;zram' {
            [CompletionResult]::new('swap', 'swap', [CompletionResultType]::ParameterValue, 'Create a zram device and enable it as swap')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Create a zram device without swap on it (zram swap creates one and enables it)')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove a zram device')
            [CompletionResult]::new('resize', 'resize', [CompletionResultType]::ParameterValue, 'Resize a zram device; swap on it is disabled meanwhile')
            [CompletionResult]::new('algorithm', 'algorithm', [CompletionResultType]::ParameterValue, 'Change the compression algorithm of a zram device; swap on it is disabled meanwhile')
            [CompletionResult]::new('limit', 'limit', [CompletionResultType]::ParameterValue, 'Limit the memory of a zram device, also while it is in use')
            [CompletionResult]::new('compact', 'compact', [CompletionResultType]::ParameterValue, 'Make a zram device return fragmented memory')
            [CompletionResult]::new('idle', 'idle', [CompletionResultType]::ParameterValue, 'Mark pages of a zram device as idle, for writeback and recompress')
            [CompletionResult]::new('writeback', 'writeback', [CompletionResultType]::ParameterValue, 'Write pages of a zram device to its backing device')
            [CompletionResult]::new('recompress', 'recompress', [CompletionResultType]::ParameterValue, 'Compress pages of a zram device again with its second algorithm')
            [CompletionResult]::new('upkeep', 'upkeep', [CompletionResultType]::ParameterValue, 'Do a round of upkeep: mark idle pages, recompress, write back within a budget, compact')
            break
        }
        'swapadm;help;zram;swap' {
            break
        }
        'swapadm;help;zram;add' {
            break
        }
        'swapadm;help;zram;remove' {
            break
        }
        'swapadm;help;zram;resize' {
            break
        }
        'swapadm;help;zram;algorithm' {
            break
        }
        'swapadm;help;zram;limit' {
            break
        }
        'swapadm;help;zram;compact' {
            break
        }
        'swapadm;help;zram;idle' {
            break
        }
        'swapadm;help;zram;writeback' {
            break
        }
        'swapadm;help;zram;recompress' {
            break
        }
        'swapadm;help;zram;upkeep' {
            break
        }
        'swapadm;help;zswap' {
            break
        }
        'swapadm;help;paging' {
            break
        }
        'swapadm;help;processes' {
            break
        }
        'swapadm;help;process' {
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show memory, swap, waits, cgroup and mappings of a process; reads its page tables')
            [CompletionResult]::new('swapin', 'swapin', [CompletionResultType]::ParameterValue, 'Bring the private pages of a process back from swap, if memory and its cgroup have room')
            break
        }
        'swapadm;help;process;show' {
            break
        }
        'swapadm;help;process;swapin' {
            break
        }
        'swapadm;help;cgroups' {
            break
        }
        'swapadm;help;cgroup' {
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show usage, limits, events, container, processes, NUMA nodes and LRU ages of a cgroup')
            [CompletionResult]::new('reclaim', 'reclaim', [CompletionResultType]::ParameterValue, 'Reclaim memory of a cgroup, the coldest pages first (memory.reclaim: cgroup v2, kernel 5.19 and later)')
            break
        }
        'swapadm;help;cgroup;show' {
            break
        }
        'swapadm;help;cgroup;reclaim' {
            break
        }
        'swapadm;help;pressure' {
            break
        }
        'swapadm;help;mthp' {
            break
        }
        'swapadm;help;readahead' {
            break
        }
        'swapadm;help;clusters' {
            break
        }
        'swapadm;help;numa' {
            break
        }
        'swapadm;help;knobs' {
            break
        }
        'swapadm;help;report' {
            break
        }
        'swapadm;help;metrics' {
            break
        }
        'swapadm;help;watch' {
            break
        }
        'swapadm;help;advise' {
            break
        }
        'swapadm;help;selection' {
            break
        }
        'swapadm;help;what-if' {
            break
        }
        'swapadm;help;cost' {
            break
        }
        'swapadm;help;sources' {
            break
        }
        'swapadm;help;setup' {
            break
        }
        'swapadm;help;apply' {
            break
        }
        'swapadm;help;save' {
            break
        }
        'swapadm;help;on' {
            break
        }
        'swapadm;help;off' {
            break
        }
        'swapadm;help;priority' {
            break
        }
        'swapadm;help;rebalance' {
            break
        }
        'swapadm;help;set' {
            break
        }
        'swapadm;help;reset' {
            break
        }
        'swapadm;help;persist' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Compare the running machine with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d')
            break
        }
        'swapadm;help;persist;check' {
            break
        }
        'swapadm;help;journal' {
            break
        }
        'swapadm;help;undo' {
            break
        }
        'swapadm;help;recover' {
            break
        }
        'swapadm;help;stress' {
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Run a workload under a memory limit, and measure how the kernel swaps')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List built-in workloads and your own')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print a workload as a file to edit')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'Explain the keys of a workload file')
            break
        }
        'swapadm;help;stress;run' {
            break
        }
        'swapadm;help;stress;list' {
            break
        }
        'swapadm;help;stress;show' {
            break
        }
        'swapadm;help;stress;keys' {
            break
        }
        'swapadm;help;experiment' {
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Run all cases of an experiment in random order, and compare them')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List built-in experiments and your own')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print an experiment as a file to edit')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'Explain the keys of an experiment file')
            break
        }
        'swapadm;help;experiment;run' {
            break
        }
        'swapadm;help;experiment;list' {
            break
        }
        'swapadm;help;experiment;show' {
            break
        }
        'swapadm;help;experiment;keys' {
            break
        }
        'swapadm;help;results' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List stored results, newest first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show what a run or an experiment measured')
            [CompletionResult]::new('compare', 'compare', [CompletionResultType]::ParameterValue, 'Compare two runs or two experiments, and mark differences larger than noise')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Export runs or experiments as JSON, CSV, Markdown or HTML')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove stored results; an experiment is removed with its runs')
            break
        }
        'swapadm;help;results;list' {
            break
        }
        'swapadm;help;results;show' {
            break
        }
        'swapadm;help;results;compare' {
            break
        }
        'swapadm;help;results;export' {
            break
        }
        'swapadm;help;results;remove' {
            break
        }
        'swapadm;help;machine' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List built-in machines')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print a machine as a file to edit')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Check machine files, and report each error with line, key and accepted values')
            [CompletionResult]::new('like-this', 'like-this', [CompletionResultType]::ParameterValue, 'Print a machine file with the kernel, memory, CPUs and swap areas of this machine')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'Explain the keys of a machine file')
            [CompletionResult]::new('costs', 'costs', [CompletionResultType]::ParameterValue, 'Print the built-in costs of single actions, from which times are estimated, as a file to edit')
            break
        }
        'swapadm;help;machine;list' {
            break
        }
        'swapadm;help;machine;show' {
            break
        }
        'swapadm;help;machine;check' {
            break
        }
        'swapadm;help;machine;like-this' {
            break
        }
        'swapadm;help;machine;keys' {
            break
        }
        'swapadm;help;machine;costs' {
            break
        }
        'swapadm;help;learn' {
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print a lesson as a file to edit')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Print the questions of a lesson as Markdown, with the answers of the model')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Check lesson files and play them, and report each error with line, key and accepted values')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'Explain the keys of a lesson file')
            break
        }
        'swapadm;help;learn;show' {
            break
        }
        'swapadm;help;learn;export' {
            break
        }
        'swapadm;help;learn;check' {
            break
        }
        'swapadm;help;learn;keys' {
            break
        }
        'swapadm;help;demo' {
            break
        }
        'swapadm;help;record' {
            break
        }
        'swapadm;help;replay' {
            break
        }
        'swapadm;help;capture' {
            break
        }
        'swapadm;help;file' {
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Create a swap file; --on also enables it')
            [CompletionResult]::new('resize', 'resize', [CompletionResultType]::ParameterValue, 'Resize a swap file, keeping label and UUID; an active one is disabled meanwhile')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove a swap file; an active one is disabled first')
            break
        }
        'swapadm;help;file;create' {
            break
        }
        'swapadm;help;file;resize' {
            break
        }
        'swapadm;help;file;remove' {
            break
        }
        'swapadm;help;format' {
            break
        }
        'swapadm;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
