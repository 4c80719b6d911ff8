#!/usr/bin/env bash
# rich reads a terminal's hyperlink in one of its two spellings, and prints the other as text.
#
# Guess:   Text.from_ansi takes the control sequences out of a program's output: a hyperlink becomes a link, or at
#          least its text alone is left.
# Happens: A hyperlink that ends in ESC \ becomes a link. A hyperlink that ends in BEL, which terminals accept and "ls
#          --hyperlink" writes, loses ESC and BEL only: its address becomes part of the visible text.
# Package: PyPI rich 15.0.0
# Other:   rich 14.3.4
# Seen:    2026-11-27
# Meets:   Python programs that show the output of other programs: test runners, log viewers, agents' consoles.

. "$(dirname "$0")/lib/finding.bash"
pip_install rich==15.0.0

cat >finding.py <<'END'
from rich.text import Text

for name, end in ("ESC \\", "\x1b\\"), ("BEL", "\x07"):
    text = Text.from_ansi(f"\x1b]8;;https://docs.example/a{end}guide\x1b]8;;{end}")
    print(f"{name}: {text.plain!r}, links: {[span.style.link for span in text.spans]}")
END
venv/bin/python finding.py >>seen

expect <<'END'
rich 15.0.0
ESC \: 'guide', links: ['https://docs.example/a']
BEL: '8;;https://docs.example/aguide8;;', links: []
END
