"""The wrapper: a node as one client process per tick, as a script for a shell or a crontab line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from loopgraph.hosts import clients
from loopgraph.hosts.base import Launch, PerTick, Shell, Text, say
from loopgraph.model.errors import RefusedError
from loopgraph.model.graph import Role
from loopgraph.model.intervals import Interval
from loopgraph.model.languages import Language
from loopgraph.model.messages import _

LIMIT: Final = 7200
"""Seconds after which a fire is ended."""

_INSTANT: Final = 30
"""A client that fails within so many seconds has not worked at all."""
_FAILURES: Final = 6
"""So many instant failures in a row end the wrapper."""
_LONGEST_PAUSE: Final = 14_400
_CRON_LIMIT: Final = 990
"""Some crons refuse a longer command."""

_OVER: Final[Mapping[Role, str]] = {
    "executor": "closed|stalled",
    "supervisor": "closed",
    "scout": "closed|stalled",
}
"""The Run status at which a node's timer ends."""

_SINGLE_QUOTES: Final = "'\u2018\u2019\u201a\u201b"
"""PowerShell takes each of these for the end of a single-quoted string."""

MISSING: Final[Text] = {
    "en": "no client was found; looked on PATH for {sought}. Name one that is installed by this "
    "command (with new: --client FILE or --set client=FILE):",
    "zh": "没找到客户端；在 PATH 上找过 {sought}。用下面的命令指定一个已安装的"
    "（用 new 时：--client FILE 或 --set client=FILE）：",
}
UNKNOWN: Final[Text] = {
    "en": "the command line of {client} is not known here. Known: {known}. Name one of these by "
    "this command (with new: --client FILE or --set client=FILE):",
    "zh": "这里不知道 {client} 的命令行怎么写。认得的有：{known}。用下面的命令指定其中一个"
    "（用 new 时：--client FILE 或 --set client=FILE）：",
}


def quoted(text: str, shell: Shell) -> str:
    """The text as one word of that shell, whatever is in it."""
    if any(char in text for char in "\r\n\0"):
        raise RefusedError(
            _("a line break in it cannot be handed to a shell"),
            where=text,
            fix=_("Rename that folder."),
        )
    if shell == "posix":
        from shlex import quote  # noqa: PLC0415  only who prints such a line pays for it

        return quote(text)
    return "'" + "".join(char * 2 if char in _SINGLE_QUOTES else char for char in text) + "'"


def pointer(launch: Launch) -> str:
    """The one line that a client gets as its prompt."""
    return f"Read {launch.prompt} and follow it exactly. Do not load any skill."


def per_tick(launch: Launch, lang: Language, names: tuple[str, ...]) -> PerTick:
    """The node as a process per tick, or why that cannot be printed."""
    language: Literal["sh", "powershell"] = "powershell" if launch.shell == "powershell" else "sh"
    if not launch.client:
        sought = ", ".join(launch.sought or names)
        return PerTick("", language, missing=say(MISSING, lang, sought=sought))
    words = clients.words(launch.client, pointer(launch))
    if not words:
        known = ", ".join(clients.BY_NAME)
        said = say(UNKNOWN, lang, client=launch.client, known=known)
        return PerTick("", language, missing=said)
    if launch.shell == "powershell":
        return PerTick(_filled(_POWERSHELL, launch, words), language)
    return PerTick(_filled(_POSIX, launch, words), language, crontab(launch, words))


def crontab(launch: Launch, words: tuple[str, ...]) -> str:
    """One crontab line with the same lock, stop and limit; empty where it would be too long."""
    command = _filled(_CRON, launch, words).replace("%", "\\%")
    if len(command) > _CRON_LIMIT:
        return ""
    return f"{schedule(launch.interval, launch.after)} {command}"


def schedule(interval: Interval, after: int = 0) -> str:
    """The five fields of cron for a legal interval, so many minutes late, evenly spaced."""
    minutes = interval.minutes
    if minutes < 60:  # noqa: PLR2004
        first = after % minutes
        every = ",".join(str(minute) for minute in range(first, 60, minutes))
        return f"{'*' if minutes == 1 else every} * * * *"
    hours = minutes // 60
    each = {1: "*", 24: "0"}.get(hours, f"*/{hours}")
    return f"{after % 60} {each} * * *"


def _filled(template: str, launch: Launch, words: tuple[str, ...]) -> str:
    """Put the values in; each is quoted for the shell, and none is looked into again."""
    shell = launch.shell
    separator = ", " if shell == "powershell" else " "
    values = {
        "root": quoted(launch.root, shell),
        "run": quoted(launch.run, shell),
        "slug": quoted(launch.slug, shell),
        "role": launch.role,
        "over": _OVER[launch.role],
        "client": quoted(words[0], shell),
        "arguments": separator.join(quoted(word, shell) for word in words[1:]),
        "seconds": str(launch.interval.minutes * 60),
        "longest": str(max(_LONGEST_PAUSE, launch.interval.minutes * 60)),
        "limit": str(LIMIT),
        "instant": str(_INSTANT),
        "failures": str(_FAILURES),
    }
    first, *parts = template.split("~")
    out = [first]
    for number, part in enumerate(parts):
        out.append(values[part] if number % 2 == 0 else part)
    return "".join(out)


_POSIX: Final = r"""sh <<'LOOPGRAPH'
# ~role~ of ~slug~: one client process at a time
cd -- ~root~ || exit 2
run=~run~
lock=$run/evidence/fires/~role~.lock
LOOPGRAPH_RUN=~slug~ LOOPGRAPH_NODE=~role~
export LOOPGRAPH_RUN LOOPGRAPH_NODE
say() { echo "loopgraph: ~role~: $*" >&2; }
over() {
  [ ! -e "$run/STOP" ] && [ ! -e "$run/../STOP" ] || return 0
  [ -f "$run/ledger.md" ] || return 0
  grep -i '^[^A-Za-z]*run status' "$run/ledger.md" | head -n 1 |
    grep -Eiq 'run status[^A-Za-z]*(~over~)'
}
take() { (set -C; echo $$ >"$lock") 2>/dev/null; }
mine() { [ "$(cat "$lock" 2>/dev/null)" = $$ ]; }
busy() { say "runs already, see $lock"; exit 75; }
fire() {
  if command -v timeout >/dev/null 2>&1
  then exec timeout -k 30 ~limit~ "$@"
  else exec perl -e 'alarm shift; exec { $ARGV[0] } @ARGV or exit 127' ~limit~ "$@"
  fi
}
mkdir -p "$run/evidence/fires" || exit 2
take || {
  kill -0 "$(cat "$lock" 2>/dev/null)" 2>/dev/null && busy
  rm -f "$lock"; take; sleep 1; mine || busy
}
trap 'rm -f "$lock"' EXIT
trap 'kill $child 2>/dev/null; wait; exit 130' INT TERM HUP
fails=0 pause=~seconds~
until over; do
  begun=$(date +%s)
  fire ~client~ ~arguments~ </dev/null & child=$!
  wait $child; code=$?
  if [ $code -ne 0 ] && [ $(($(date +%s) - begun)) -lt ~instant~ ]; then
    fails=$((fails + 1)) pause=$((pause * 2))
    [ $pause -le ~longest~ ] || pause=~longest~
    say "failed at once, exit $code; next try in $pause seconds"
    [ $fails -lt ~failures~ ] || { say "gives up"; exit 1; }
  else
    fails=0 pause=~seconds~
  fi
  over && break
  sleep $pause & child=$!
  wait $child
done
say "ended: a STOP file or a final Run status"
LOOPGRAPH"""

_CRON: Final = (
    r"cd -- ~root~ && R=~run~ && mkdir -p $R/evidence/fires && L=$R/evidence/fires/~role~.lock"
    r" && [ ! -e $R/STOP ] && [ ! -e $R/../STOP ]"
    r' && ! { grep -i "^[^A-Za-z]*run status" $R/ledger.md | head -n 1'
    r' | grep -Eiq "run status[^A-Za-z]*(~over~)"; }'
    r' && { kill -0 "$(cat $L 2>/dev/null)" 2>/dev/null || rm -f $L; }'
    r" && (set -C; echo $$ >$L) 2>/dev/null"
    r" && { LOOPGRAPH_RUN=~slug~ LOOPGRAPH_NODE=~role~ timeout -k 30 ~limit~"
    r" ~client~ ~arguments~ </dev/null; rm -f $L; }"
)

_POWERSHELL: Final = r"""& {
# ~role~ of ~slug~: one client process at a time
Set-Location -LiteralPath ~root~ -ErrorAction Stop
$run = ~run~
$null = New-Item -ItemType Directory -Force -Path "$run/evidence/fires"
$path = Join-Path $PWD.ProviderPath "$run/evidence/fires/~role~.lock"
try { $lock = [IO.File]::Open($path, 'OpenOrCreate', 'ReadWrite', 'None') }
catch { Write-Host "loopgraph: ~role~: runs already, see $path"; return }
$env:LOOPGRAPH_RUN = ~slug~; $env:LOOPGRAPH_NODE = '~role~'
$client = ~client~
$words = @(~arguments~)
function Test-Over {
  if (Test-Path -LiteralPath "$run/STOP") { return $true }
  if (Test-Path -LiteralPath "$run/../STOP") { return $true }
  if (-not (Test-Path -LiteralPath "$run/ledger.md")) { return $true }
  $line = Select-String -LiteralPath "$run/ledger.md" -Pattern '^[^A-Za-z]*run status' |
    Select-Object -First 1
  return [bool]($line -and $line.Line -match 'run status[^A-Za-z]*(~over~)')
}
$fails = 0; $pause = ~seconds~
try {
  while (-not (Test-Over)) {
    $begun = Get-Date
    $job = Start-Job -ArgumentList $PWD.ProviderPath, $client, $words -ScriptBlock {
      param($at, $client, $words)
      Set-Location -LiteralPath $at
      try { @() | & $client @words } catch { throw }
      if ($LASTEXITCODE) { throw "exit $LASTEXITCODE" }
    }
    $null = Wait-Job $job -Timeout ~limit~
    $failed = $job.State -eq 'Failed'
    Stop-Job $job
    Receive-Job $job -ErrorAction Continue
    Remove-Job $job -Force
    if ($failed -and ((Get-Date) - $begun).TotalSeconds -lt ~instant~) {
      $fails++; $pause = [Math]::Min($pause * 2, ~longest~)
      Write-Host "loopgraph: ~role~: failed at once; next try in $pause seconds"
      if ($fails -ge ~failures~) { Write-Host 'loopgraph: ~role~: gives up'; break }
    } else { $fails = 0; $pause = ~seconds~ }
    if (Test-Over) { break }
    Start-Sleep -Seconds $pause
  }
  Write-Host 'loopgraph: ~role~: ended'
} finally { $lock.Dispose() }
}"""
