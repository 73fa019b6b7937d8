
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
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Seconds between samples [env: SWAPADM_INTERVAL]')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Seconds between samples [env: SWAPADM_INTERVAL]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: auto, true, 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]')
            [CompletionResult]::new('--glyphs', '--glyphs', [CompletionResultType]::ParameterName, 'Signs: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]')
            [CompletionResult]::new('--screen', '--screen', [CompletionResultType]::ParameterName, 'The screen to begin with')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this file of settings instead of swapadm/config.toml in ~/.config')
            [CompletionResult]::new('--ascii', '--ascii', [CompletionResultType]::ParameterName, 'The same as --glyphs ascii')
            [CompletionResult]::new('--no-mouse', '--no-mouse', [CompletionResultType]::ParameterName, 'Leave the mouse to the terminal')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no file of settings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'The one-page answer to "how is my swap?"')
            [CompletionResult]::new('advise', 'advise', [CompletionResultType]::ParameterValue, 'What is wrong with swap here, the figures that show it, and what to do about it')
            [CompletionResult]::new('devices', 'devices', [CompletionResultType]::ParameterValue, 'Swap areas: size, use, priority, what carries them')
            [CompletionResult]::new('groups', 'groups', [CompletionResultType]::ParameterValue, 'The areas of each priority, and how evenly they are used')
            [CompletionResult]::new('selection', 'selection', [CompletionResultType]::ParameterValue, 'Which area is next, by the rules of this kernel, and which would be')
            [CompletionResult]::new('zram', 'zram', [CompletionResultType]::ParameterValue, 'zram devices: what they hold in how much memory; and changing them')
            [CompletionResult]::new('zswap', 'zswap', [CompletionResultType]::ParameterValue, 'zswap: what it holds, and what it turned away')
            [CompletionResult]::new('mthp', 'mthp', [CompletionResultType]::ParameterValue, 'Large folios by size: how often they are swapped whole or must be split')
            [CompletionResult]::new('readahead', 'readahead', [CompletionResultType]::ParameterValue, 'Swap readahead: does it pay?')
            [CompletionResult]::new('paging', 'paging', [CompletionResultType]::ParameterValue, 'Traffic to and from swap, faults and reclaim')
            [CompletionResult]::new('processes', 'processes', [CompletionResultType]::ParameterValue, 'Processes with pages in swap')
            [CompletionResult]::new('cgroups', 'cgroups', [CompletionResultType]::ParameterValue, 'Control groups: swap, limits and pressure')
            [CompletionResult]::new('pressure', 'pressure', [CompletionResultType]::ParameterValue, 'The share of time in which tasks waited for memory, I/O and processors')
            [CompletionResult]::new('knobs', 'knobs', [CompletionResultType]::ParameterValue, 'Settings that steer swapping, with range and default')
            [CompletionResult]::new('numa', 'numa', [CompletionResultType]::ParameterValue, 'Memory, swap cache and swap devices by NUMA node')
            [CompletionResult]::new('sources', 'sources', [CompletionResultType]::ParameterValue, 'What this kernel and these rights let swapadm see, and what to do about the rest')
            [CompletionResult]::new('report', 'report', [CompletionResultType]::ParameterValue, 'Everything, or the tables named')
            [CompletionResult]::new('clusters', 'clusters', [CompletionResultType]::ParameterValue, 'How the slots of areas are spread over their clusters, and which folios still fit')
            [CompletionResult]::new('cost', 'cost', [CompletionResultType]::ParameterValue, 'What areas cost in memory, what others would, and what switching one off would move')
            [CompletionResult]::new('capture', 'capture', [CompletionResultType]::ParameterValue, 'Copy what swapadm reads of this machine into a folder, for --sysroot')
            [CompletionResult]::new('record', 'record', [CompletionResultType]::ParameterValue, 'Write snapshots into a file as time goes on')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Open the interface, or print its screens as lines')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Open a recording in the interface, or print one of its tables as a stream')
            [CompletionResult]::new('on', 'on', [CompletionResultType]::ParameterValue, 'Switch areas on')
            [CompletionResult]::new('off', 'off', [CompletionResultType]::ParameterValue, 'Switch areas off, with what is on them moved to memory and the other areas')
            [CompletionResult]::new('priority', 'priority', [CompletionResultType]::ParameterValue, 'Give areas other priorities, which takes them off and puts them on again')
            [CompletionResult]::new('rebalance', 'rebalance', [CompletionResultType]::ParameterValue, 'Put right how areas share the load: says what is wrong, and changes nothing when nothing is')
            [CompletionResult]::new('format', 'format', [CompletionResultType]::ParameterValue, 'Make a swap area of a device or file: write a header with a label and a UUID')
            [CompletionResult]::new('file', 'file', [CompletionResultType]::ParameterValue, 'Swap files: made whole, with their place on the disk, for root only')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Give settings of the kernel other values')
            [CompletionResult]::new('reset', 'reset', [CompletionResultType]::ParameterValue, 'Give settings of the kernel their first values back')
            [CompletionResult]::new('persist', 'persist', [CompletionResultType]::ParameterValue, 'What will be otherwise when the machine starts the next time')
            [CompletionResult]::new('results', 'results', [CompletionResultType]::ParameterValue, 'Runs of the stress lab that are kept: list, show, compare and export them')
            [CompletionResult]::new('journal', 'journal', [CompletionResultType]::ParameterValue, 'What was changed, and what became of it')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take back what a plan changed')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Put right what a crash cut off')
            [CompletionResult]::new('stress', 'stress', [CompletionResultType]::ParameterValue, 'Run loads in a cage, and see what the kernel does with them')
            [CompletionResult]::new('experiment', 'experiment', [CompletionResultType]::ParameterValue, 'Run a load in several cases, and see what makes a difference')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'swapadm;status' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;advise' {
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'All about one rule, also when it finds nothing')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Take the thresholds of this file of settings instead of swapadm/config.toml in ~/.config')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'End with 1 when something is wrong, with 7 when it is critical; notes are no fault')
            [CompletionResult]::new('--rules', '--rules', [CompletionResultType]::ParameterName, 'All rules: what each looks for, and what came of it')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON: the findings with their figures, and what came of each rule')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON: the findings with their figures, and what came of each rule')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Take the thresholds that hold when nobody says otherwise')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;devices' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;groups' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;selection' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('--node', '--node', [CompletionResultType]::ParameterName, 'Only the order of this NUMA node')
            [CompletionResult]::new('--folio', '--folio', [CompletionResultType]::ParameterName, 'Shares of large folios of this size, such as 64K or 2M, in place of those of single pages')
            [CompletionResult]::new('--with', '--with', [CompletionResultType]::ParameterName, 'Also the order as it would be with these priorities: a path, a name, LABEL= or UUID=, and 0 to 32767 or default; nothing is changed')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;zram' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Also rows that hold nothing')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Also rows that hold nothing')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('swap', 'swap', [CompletionResultType]::ParameterValue, 'Make a zram device, format it and switch it on as swap')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Make a zram device')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove a zram device')
            [CompletionResult]::new('resize', 'resize', [CompletionResultType]::ParameterValue, 'Give a zram device another size; swap on it is taken off, and comes back as it was')
            [CompletionResult]::new('algorithm', 'algorithm', [CompletionResultType]::ParameterValue, 'Let a zram device compress otherwise; swap on it is taken off, and comes back as it was')
            [CompletionResult]::new('limit', 'limit', [CompletionResultType]::ParameterValue, 'Limit the memory that a zram device takes, while it is in use')
            [CompletionResult]::new('compact', 'compact', [CompletionResultType]::ParameterValue, 'Let a zram device give back memory that is lost between what it holds')
            [CompletionResult]::new('idle', 'idle', [CompletionResultType]::ParameterValue, 'Mark what a zram device holds as idle, for writeback and recompress')
            [CompletionResult]::new('writeback', 'writeback', [CompletionResultType]::ParameterValue, 'Write pages of a zram device to its backing device')
            [CompletionResult]::new('recompress', 'recompress', [CompletionResultType]::ParameterValue, 'Compress pages of a zram device once more, with an algorithm that compresses better')
            break
        }
        'swapadm;zram;swap' {
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Size of the disk, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory')
            [CompletionResult]::new('--size', '--size', [CompletionResultType]::ParameterName, 'Size of the disk, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'How it compresses; what the kernel chooses if none is named')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'How it compresses; what the kernel chooses if none is named')
            [CompletionResult]::new('--second-algorithm', '--second-algorithm', [CompletionResultType]::ParameterName, 'Compress with this one what recompress is told to (kernels built for it)')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Take no more memory than this: such as 512M, 2G or 25% of memory')
            [CompletionResult]::new('--backing', '--backing', [CompletionResultType]::ParameterName, 'Write pages to this device when writeback is told to (kernels built for it)')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'From 0 to 32767, or default')
            [CompletionResult]::new('--priority', '--priority', [CompletionResultType]::ParameterName, 'From 0 to 32767, or default')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)')
            [CompletionResult]::new('--discard', '--discard', [CompletionResultType]::ParameterName, 'Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'A label of up to 15 bytes')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;add' {
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Size of the disk, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory')
            [CompletionResult]::new('--size', '--size', [CompletionResultType]::ParameterName, 'Size of the disk, uncompressed: such as 512M, 2GB (powers of 1000) or 50% of memory')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'How it compresses; what the kernel chooses if none is named')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'How it compresses; what the kernel chooses if none is named')
            [CompletionResult]::new('--second-algorithm', '--second-algorithm', [CompletionResultType]::ParameterName, 'Compress with this one what recompress is told to (kernels built for it)')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Take no more memory than this: such as 512M, 2G or 25% of memory')
            [CompletionResult]::new('--backing', '--backing', [CompletionResultType]::ParameterName, 'Write pages to this device when writeback is told to (kernels built for it)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;remove' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;resize' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;algorithm' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;limit' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;zram;compact' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;zram;idle' {
            [CompletionResult]::new('--age', '--age', [CompletionResultType]::ParameterName, 'Only what was not used for so long: such as 90, 30m or 1h')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;zram;writeback' {
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Write no more than this, from now on until the limit is taken away')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;zram;recompress' {
            [CompletionResult]::new('--threshold', '--threshold', [CompletionResultType]::ParameterName, 'Only those that take more bytes than this, compressed')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'With this one of the algorithms that the device was given; all of them if none is named')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'With this one of the algorithms that the device was given; all of them if none is named')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;zswap' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;mthp' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;readahead' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;paging' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;processes' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--pss', '--pss', [CompletionResultType]::ParameterName, 'Also each process''s fair share of shared swap; walks its page tables')
            [CompletionResult]::new('--tree', '--tree', [CompletionResultType]::ParameterName, 'Children below their parents')
            [CompletionResult]::new('--users', '--users', [CompletionResultType]::ParameterName, 'By user instead of by process')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Also processes without swap')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Also processes without swap')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;cgroups' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Also rows that hold nothing')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Also rows that hold nothing')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;pressure' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;knobs' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;numa' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;sources' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;report' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Also rows that hold nothing')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Also rows that hold nothing')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;clusters' {
            [CompletionResult]::new('--view', '--view', [CompletionResultType]::ParameterName, 'Where it comes from, instead of the best there is')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Each slot of this cluster of the area, counted from 0; --json for all that is known of each')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('--map', '--map', [CompletionResultType]::ParameterName, 'Draw each area from its beginning to its end')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;cost' {
            [CompletionResult]::new('--plan', '--plan', [CompletionResultType]::ParameterName, 'Also areas of these sizes, which are not there yet')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;capture' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--scrub', '--scrub', [CompletionResultType]::ParameterName, 'Leave out host, user, process and file names and command lines')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;record' {
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Seconds between snapshots')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Seconds between snapshots')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many snapshots')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many snapshots')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;watch' {
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many samples')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many samples')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Seconds between samples [env: SWAPADM_INTERVAL]')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Seconds between samples [env: SWAPADM_INTERVAL]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: auto, true, 256, 16 or never [env: SWAPADM_COLOR, NO_COLOR]')
            [CompletionResult]::new('--glyphs', '--glyphs', [CompletionResultType]::ParameterName, 'Signs: auto, full, blocks, vt or ascii [env: SWAPADM_GLYPHS]')
            [CompletionResult]::new('--screen', '--screen', [CompletionResultType]::ParameterName, 'The screen to begin with')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this file of settings instead of swapadm/config.toml in ~/.config')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'Print lines instead of drawing: for screen readers, logs and serial lines')
            [CompletionResult]::new('--ascii', '--ascii', [CompletionResultType]::ParameterName, 'The same as --glyphs ascii')
            [CompletionResult]::new('--no-mouse', '--no-mouse', [CompletionResultType]::ParameterName, 'Leave the mouse to the terminal')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no file of settings')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;replay' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''used>1G & name~zram''; a bare word is looked for anywhere')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Go on every so many seconds, with rates')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Stop after so many')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--recording', '--recording', [CompletionResultType]::ParameterName, 'Read a recording instead of this machine')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The moment in the recording: first, last, +90s, -5m, 07:25:00, 2026-11-21T07:25:00 (UTC)')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in base units')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('--noheadings', '--noheadings', [CompletionResultType]::ParameterName, 'Leave the headings out')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'One blank between columns, nothing dropped, blanks in values written \x20')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--timestamp', '--timestamp', [CompletionResultType]::ParameterName, 'Put the time of the sample before each row')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below the table why values are missing')
            [CompletionResult]::new('--help-columns', '--help-columns', [CompletionResultType]::ParameterName, 'List the columns with their units and meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;on' {
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'From 0 to 32767, or default')
            [CompletionResult]::new('--priority', '--priority', [CompletionResultType]::ParameterName, 'From 0 to 32767, or default')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)')
            [CompletionResult]::new('--discard', '--discard', [CompletionResultType]::ParameterName, 'Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'All that /etc/fstab names, but for those marked noauto')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'All that /etc/fstab names, but for those marked noauto')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;off' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'All that are active')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'All that are active')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;priority' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;rebalance' {
            [CompletionResult]::new('--skew', '--skew', [CompletionResultType]::ParameterName, 'With spread: from which skew on, in percent of what is on areas of one priority; 20 if not said')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Only look: exit status 1 when something is wrong, 0 when not; needs no rights')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;format' {
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Its label, of at most 15 bytes')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Its label, of at most 15 bytes')
            [CompletionResult]::new('-U', '-U ', [CompletionResultType]::ParameterName, 'Its UUID, instead of a random one')
            [CompletionResult]::new('--uuid', '--uuid', [CompletionResultType]::ParameterName, 'Its UUID, instead of a random one')
            [CompletionResult]::new('--page-size', '--page-size', [CompletionResultType]::ParameterName, 'For a machine whose pages have this size, from 4096 to 65536')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;file' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Make a swap file, and perhaps switch it on')
            [CompletionResult]::new('resize', 'resize', [CompletionResultType]::ParameterValue, 'Give a swap file another size, with the same label and UUID; one that is on is off meanwhile')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove a swap file; one that is on is switched off first')
            break
        }
        'swapadm;file;create' {
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Its label, of at most 15 bytes')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Its label, of at most 15 bytes')
            [CompletionResult]::new('-U', '-U ', [CompletionResultType]::ParameterName, 'Its UUID, instead of a random one')
            [CompletionResult]::new('--uuid', '--uuid', [CompletionResultType]::ParameterName, 'Its UUID, instead of a random one')
            [CompletionResult]::new('--page-size', '--page-size', [CompletionResultType]::ParameterName, 'For a machine whose pages have this size, from 4096 to 65536')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'From 0 to 32767, or default')
            [CompletionResult]::new('--priority', '--priority', [CompletionResultType]::ParameterName, 'From 0 to 32767, or default')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)')
            [CompletionResult]::new('--discard', '--discard', [CompletionResultType]::ParameterName, 'Tell the device which space is free: none, once, pages or both (alone: both; a value needs =)')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--on', '--on', [CompletionResultType]::ParameterName, 'Switch it on as well')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;file;resize' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;file;remove' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;set' {
            [CompletionResult]::new('--cgroup', '--cgroup', [CompletionResultType]::ParameterName, 'Settings of this control group, such as memory.swap.max')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;reset' {
            [CompletionResult]::new('--cgroup', '--cgroup', [CompletionResultType]::ParameterName, 'Limits of this control group, such as memory.swap.max: none any more')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--persist', '--persist', [CompletionResultType]::ParameterName, 'Let it be so at every start of the machine too')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;persist' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Compare what runs with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d')
            break
        }
        'swapadm;persist;check' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'As JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'As JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;results' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''elapsed>60 & title~zram''')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in the same units as JSON')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Tables for a page or a letter in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below each table why values are missing')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Also rows that hold nothing, and those that stand in another table as well')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Also rows that hold nothing, and those that stand in another table as well')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List what is kept, newest first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'What a run or an experiment has shown')
            [CompletionResult]::new('compare', 'compare', [CompletionResultType]::ParameterValue, 'Two runs or two experiments, figure by figure: do they differ by more than noise?')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write experiments or runs into a file or to the output, in another form')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove results that are kept; an experiment goes with its runs')
            break
        }
        'swapadm;results;list' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''elapsed>60 & title~zram''')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in the same units as JSON')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Tables for a page or a letter in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below each table why values are missing')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Also rows that hold nothing, and those that stand in another table as well')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Also rows that hold nothing, and those that stand in another table as well')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;results;show' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--published', '--published', [CompletionResultType]::ParameterName, 'Print also what others have published of an experiment, where that is known')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in the same units as JSON')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Tables for a page or a letter in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below each table why values are missing')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Also rows that hold nothing, and those that stand in another table as well')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Also rows that hold nothing, and those that stand in another table as well')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;results;compare' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Columns to show: NAME,NAME; +NAME adds to the usual ones, -NAME takes away; all')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Sort by these columns: NAME,-NAME (- for largest first)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Show only rows that pass, such as ''elapsed>60 & title~zram''')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON, figures in the units beside them, all else in base units; null where something is missing, with the reason')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Comma-separated values, in the same units as JSON')
            [CompletionResult]::new('--markdown', '--markdown', [CompletionResultType]::ParameterName, 'Tables for a page or a letter in Markdown')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Plain numbers of bytes instead of 1.5G')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say below each table why values are missing')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Also rows that hold nothing, and those that stand in another table as well')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Also rows that hold nothing, and those that stand in another table as well')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;results;export' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'The file to make, instead of the output')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--published', '--published', [CompletionResultType]::ParameterName, 'Write also what others have published of an experiment; JSON always has it')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;results;remove' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask before an experiment is removed with its runs')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask before an experiment is removed with its runs')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;journal' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;undo' {
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;recover' {
            [CompletionResult]::new('--dismiss', '--dismiss', [CompletionResultType]::ParameterName, 'Close this plan of the journal without repairing it, as when its area is gone for good; its number is shown by swapadm journal')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up after so long (90, 500ms or 5m), and put everything back, however long that takes')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'Give up when all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI)')
            [CompletionResult]::new('--pace', '--pace', [CompletionResultType]::ParameterName, 'While an area is emptied, rest as long as all tasks wait for memory in more than this percentage of 10 seconds (kernels with PSI), and go on when they do not')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the plan, and change nothing')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The plan and what came of it as JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;stress' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Run a load in a cage of its own, and say what the kernel did with it')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'The loads that are built in, and your own')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print a load that is built in, as a file to change, or one of your own')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'The keys that a file with a load is made of')
            break
        }
        'swapadm;stress;run' {
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Say something of the load otherwise than it does: KEY=VALUE for all its processes, 2.KEY=VALUE for those of its second group')
            [CompletionResult]::new('--with', '--with', [CompletionResultType]::ParameterName, 'Say something of the load otherwise than it does: KEY=VALUE for all its processes, 2.KEY=VALUE for those of its second group')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'The memory that all its processes may take, 8M or more beside 512K for each: such as 512M, or 25% of what is available')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'The memory that all its processes may take, 8M or more beside 512K for each: such as 512M, or 25% of what is available')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'Make swap on zram for it, and remove that afterwards: 1G, or 4x1G for four devices')
            [CompletionResult]::new('--zram', '--zram', [CompletionResultType]::ParameterName, 'Make swap on zram for it, and remove that afterwards: 1G, or 4x1G for four devices')
            [CompletionResult]::new('--file', '--file', [CompletionResultType]::ParameterName, 'Make swap in a file for it, and remove that afterwards: 1G, or 2x512M for two files; the kernel reads ahead from files, and from zram hardly ever')
            [CompletionResult]::new('--file-in', '--file-in', [CompletionResultType]::ParameterName, 'The folder of those files [default: /var/tmp]')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'How those zram devices compress; what the kernel chooses if none is named')
            [CompletionResult]::new('--priority', '--priority', [CompletionResultType]::ParameterName, 'The priority of those areas: from 0 to 32767, or default')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Set a knob for the time of the run')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set a knob for the time of the run')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Run it so often')
            [CompletionResult]::new('--repeat', '--repeat', [CompletionResultType]::ParameterName, 'Run it so often')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'What all chance comes from: the same number gives the same touches and contents')
            [CompletionResult]::new('--min-available', '--min-available', [CompletionResultType]::ParameterName, 'End it when less memory than this is available [default: 5% of memory, 64M to 1G]')
            [CompletionResult]::new('--min-swap', '--min-swap', [CompletionResultType]::ParameterName, 'End it when less swap than this is free [default: 1% of swap]')
            [CompletionResult]::new('--title', '--title', [CompletionResultType]::ParameterName, 'What the result is called [default: the load]')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'End it after so long (90, 500ms or 5m) [default: at_most of the load]')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'End it when all tasks wait for memory in more than this percentage of 10 seconds, for 5 seconds [default: 20]')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--whole-machine', '--whole-machine', [CompletionResultType]::ParameterName, 'Run it without a cage, and put the whole machine under pressure')
            [CompletionResult]::new('--no-keep', '--no-keep', [CompletionResultType]::ParameterName, 'Do not keep the result')
            [CompletionResult]::new('--usemem-lines', '--usemem-lines', [CompletionResultType]::ParameterName, 'Print the lines that usemem prints, process by process, and no tables')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be run, on what and with which rails, and run nothing')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'What was measured as JSON, with what was checked before')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'What was measured as JSON, with what was checked before')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;stress;list' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'As JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'As JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;stress;show' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;stress;keys' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;experiment' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Run all cases of an experiment, mixed, and say how they differ')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'The experiments that are built in, and your own')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print an experiment that is built in, as a file to change, or one of your own')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'The keys that a file with an experiment is made of')
            break
        }
        'swapadm;experiment;run' {
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'The memory that each run may take: such as 512M, or 5% of what is available; areas are made in proportion')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'The memory that each run may take: such as 512M, or 5% of what is available; areas are made in proportion')
            [CompletionResult]::new('--scale', '--scale', [CompletionResultType]::ParameterName, 'Make the memory that each run may take so many times as large as the experiment says')
            [CompletionResult]::new('--kind', '--kind', [CompletionResultType]::ParameterName, 'What carries the areas that are made, where a case does not say it itself: zram, file, or one for each area such as zram,file [default: as the experiment says]')
            [CompletionResult]::new('--file-in', '--file-in', [CompletionResultType]::ParameterName, 'The folder of files that carry areas [default: /var/tmp]')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Run each case so often [default: as the experiment says]')
            [CompletionResult]::new('--repeat', '--repeat', [CompletionResultType]::ParameterName, 'Run each case so often [default: as the experiment says]')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Run only cases in which a factor has one of these values')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'What all chance comes from, the order of the runs too')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait up to TIME (90, 500ms or 5m) for another swapadm to end; with --yes the plan is then made anew')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Take a risk that a check names')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'End each run after so long (90, 500ms or 5m) [default: at_most of the load]')
            [CompletionResult]::new('--max-psi', '--max-psi', [CompletionResultType]::ParameterName, 'End a run when all tasks wait for memory in more than this percentage of 10 seconds, for 5 seconds [default: 20]')
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('--published', '--published', [CompletionResultType]::ParameterName, 'Print also what others have published: of the experiments A to E, and of files that say it')
            [CompletionResult]::new('--no-keep', '--no-keep', [CompletionResultType]::ParameterName, 'Do not keep the experiment and the results of its cases')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the cases, what they are lent and what stands against them, and run nothing')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'What was measured as JSON, with what was checked before')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'What was measured as JSON, with what was checked before')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'swapadm;experiment;list' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-J', '-J ', [CompletionResultType]::ParameterName, 'As JSON')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'As JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;experiment;show' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;experiment;keys' {
            [CompletionResult]::new('--sysroot', '--sysroot', [CompletionResultType]::ParameterName, 'Read a captured tree instead of this machine [env: SWAPADM_ROOT]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'swapadm;help' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'The one-page answer to "how is my swap?"')
            [CompletionResult]::new('advise', 'advise', [CompletionResultType]::ParameterValue, 'What is wrong with swap here, the figures that show it, and what to do about it')
            [CompletionResult]::new('devices', 'devices', [CompletionResultType]::ParameterValue, 'Swap areas: size, use, priority, what carries them')
            [CompletionResult]::new('groups', 'groups', [CompletionResultType]::ParameterValue, 'The areas of each priority, and how evenly they are used')
            [CompletionResult]::new('selection', 'selection', [CompletionResultType]::ParameterValue, 'Which area is next, by the rules of this kernel, and which would be')
            [CompletionResult]::new('zram', 'zram', [CompletionResultType]::ParameterValue, 'zram devices: what they hold in how much memory; and changing them')
            [CompletionResult]::new('zswap', 'zswap', [CompletionResultType]::ParameterValue, 'zswap: what it holds, and what it turned away')
            [CompletionResult]::new('mthp', 'mthp', [CompletionResultType]::ParameterValue, 'Large folios by size: how often they are swapped whole or must be split')
            [CompletionResult]::new('readahead', 'readahead', [CompletionResultType]::ParameterValue, 'Swap readahead: does it pay?')
            [CompletionResult]::new('paging', 'paging', [CompletionResultType]::ParameterValue, 'Traffic to and from swap, faults and reclaim')
            [CompletionResult]::new('processes', 'processes', [CompletionResultType]::ParameterValue, 'Processes with pages in swap')
            [CompletionResult]::new('cgroups', 'cgroups', [CompletionResultType]::ParameterValue, 'Control groups: swap, limits and pressure')
            [CompletionResult]::new('pressure', 'pressure', [CompletionResultType]::ParameterValue, 'The share of time in which tasks waited for memory, I/O and processors')
            [CompletionResult]::new('knobs', 'knobs', [CompletionResultType]::ParameterValue, 'Settings that steer swapping, with range and default')
            [CompletionResult]::new('numa', 'numa', [CompletionResultType]::ParameterValue, 'Memory, swap cache and swap devices by NUMA node')
            [CompletionResult]::new('sources', 'sources', [CompletionResultType]::ParameterValue, 'What this kernel and these rights let swapadm see, and what to do about the rest')
            [CompletionResult]::new('report', 'report', [CompletionResultType]::ParameterValue, 'Everything, or the tables named')
            [CompletionResult]::new('clusters', 'clusters', [CompletionResultType]::ParameterValue, 'How the slots of areas are spread over their clusters, and which folios still fit')
            [CompletionResult]::new('cost', 'cost', [CompletionResultType]::ParameterValue, 'What areas cost in memory, what others would, and what switching one off would move')
            [CompletionResult]::new('capture', 'capture', [CompletionResultType]::ParameterValue, 'Copy what swapadm reads of this machine into a folder, for --sysroot')
            [CompletionResult]::new('record', 'record', [CompletionResultType]::ParameterValue, 'Write snapshots into a file as time goes on')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Open the interface, or print its screens as lines')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Open a recording in the interface, or print one of its tables as a stream')
            [CompletionResult]::new('on', 'on', [CompletionResultType]::ParameterValue, 'Switch areas on')
            [CompletionResult]::new('off', 'off', [CompletionResultType]::ParameterValue, 'Switch areas off, with what is on them moved to memory and the other areas')
            [CompletionResult]::new('priority', 'priority', [CompletionResultType]::ParameterValue, 'Give areas other priorities, which takes them off and puts them on again')
            [CompletionResult]::new('rebalance', 'rebalance', [CompletionResultType]::ParameterValue, 'Put right how areas share the load: says what is wrong, and changes nothing when nothing is')
            [CompletionResult]::new('format', 'format', [CompletionResultType]::ParameterValue, 'Make a swap area of a device or file: write a header with a label and a UUID')
            [CompletionResult]::new('file', 'file', [CompletionResultType]::ParameterValue, 'Swap files: made whole, with their place on the disk, for root only')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Give settings of the kernel other values')
            [CompletionResult]::new('reset', 'reset', [CompletionResultType]::ParameterValue, 'Give settings of the kernel their first values back')
            [CompletionResult]::new('persist', 'persist', [CompletionResultType]::ParameterValue, 'What will be otherwise when the machine starts the next time')
            [CompletionResult]::new('results', 'results', [CompletionResultType]::ParameterValue, 'Runs of the stress lab that are kept: list, show, compare and export them')
            [CompletionResult]::new('journal', 'journal', [CompletionResultType]::ParameterValue, 'What was changed, and what became of it')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take back what a plan changed')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Put right what a crash cut off')
            [CompletionResult]::new('stress', 'stress', [CompletionResultType]::ParameterValue, 'Run loads in a cage, and see what the kernel does with them')
            [CompletionResult]::new('experiment', 'experiment', [CompletionResultType]::ParameterValue, 'Run a load in several cases, and see what makes a difference')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'swapadm;help;status' {
            break
        }
        'swapadm;help;advise' {
            break
        }
        'swapadm;help;devices' {
            break
        }
        'swapadm;help;groups' {
            break
        }
        'swapadm;help;selection' {
            break
        }
        'swapadm;help;zram' {
            [CompletionResult]::new('swap', 'swap', [CompletionResultType]::ParameterValue, 'Make a zram device, format it and switch it on as swap')
            [CompletionResult]::new('add', 'add', [CompletionResultType]::ParameterValue, 'Make a zram device')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove a zram device')
            [CompletionResult]::new('resize', 'resize', [CompletionResultType]::ParameterValue, 'Give a zram device another size; swap on it is taken off, and comes back as it was')
            [CompletionResult]::new('algorithm', 'algorithm', [CompletionResultType]::ParameterValue, 'Let a zram device compress otherwise; swap on it is taken off, and comes back as it was')
            [CompletionResult]::new('limit', 'limit', [CompletionResultType]::ParameterValue, 'Limit the memory that a zram device takes, while it is in use')
            [CompletionResult]::new('compact', 'compact', [CompletionResultType]::ParameterValue, 'Let a zram device give back memory that is lost between what it holds')
            [CompletionResult]::new('idle', 'idle', [CompletionResultType]::ParameterValue, 'Mark what a zram device holds as idle, for writeback and recompress')
            [CompletionResult]::new('writeback', 'writeback', [CompletionResultType]::ParameterValue, 'Write pages of a zram device to its backing device')
            [CompletionResult]::new('recompress', 'recompress', [CompletionResultType]::ParameterValue, 'Compress pages of a zram device once more, with an algorithm that compresses better')
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
        'swapadm;help;zswap' {
            break
        }
        'swapadm;help;mthp' {
            break
        }
        'swapadm;help;readahead' {
            break
        }
        'swapadm;help;paging' {
            break
        }
        'swapadm;help;processes' {
            break
        }
        'swapadm;help;cgroups' {
            break
        }
        'swapadm;help;pressure' {
            break
        }
        'swapadm;help;knobs' {
            break
        }
        'swapadm;help;numa' {
            break
        }
        'swapadm;help;sources' {
            break
        }
        'swapadm;help;report' {
            break
        }
        'swapadm;help;clusters' {
            break
        }
        'swapadm;help;cost' {
            break
        }
        'swapadm;help;capture' {
            break
        }
        'swapadm;help;record' {
            break
        }
        'swapadm;help;watch' {
            break
        }
        'swapadm;help;replay' {
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
        'swapadm;help;format' {
            break
        }
        'swapadm;help;file' {
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Make a swap file, and perhaps switch it on')
            [CompletionResult]::new('resize', 'resize', [CompletionResultType]::ParameterValue, 'Give a swap file another size, with the same label and UUID; one that is on is off meanwhile')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove a swap file; one that is on is switched off first')
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
        'swapadm;help;set' {
            break
        }
        'swapadm;help;reset' {
            break
        }
        'swapadm;help;persist' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Compare what runs with fstab, systemd, zram-generator, sysctl.d and tmpfiles.d')
            break
        }
        'swapadm;help;persist;check' {
            break
        }
        'swapadm;help;results' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List what is kept, newest first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'What a run or an experiment has shown')
            [CompletionResult]::new('compare', 'compare', [CompletionResultType]::ParameterValue, 'Two runs or two experiments, figure by figure: do they differ by more than noise?')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write experiments or runs into a file or to the output, in another form')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove results that are kept; an experiment goes with its runs')
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
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Run a load in a cage of its own, and say what the kernel did with it')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'The loads that are built in, and your own')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print a load that is built in, as a file to change, or one of your own')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'The keys that a file with a load is made of')
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
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Run all cases of an experiment, mixed, and say how they differ')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'The experiments that are built in, and your own')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print an experiment that is built in, as a file to change, or one of your own')
            [CompletionResult]::new('keys', 'keys', [CompletionResultType]::ParameterValue, 'The keys that a file with an experiment is made of')
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
        'swapadm;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
