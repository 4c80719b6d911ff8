#!/usr/bin/env bash
# A pylock.toml of pip does not say for which platform it was made, and uv installs it on another.
#
# Guess:   The standard lock file of Python names the environments it is for, or has a marker for each package, so
#          another platform gets the right packages or a refusal.
# Happens: pip lock, an experimental command, writes neither. click needs colorama on Windows; the lock that pip makes
#          on Linux lacks it and has no "environments" or "requires-python", so uv plans click alone for Windows. uv's
#          own lock in the same format has colorama with its marker.
# Package: PyPI pip 26.3, uv 0.13.9
# Other:   pip 26.2.1
# Seen:    2026-11-27
# Meets:   Teams that lock on one system and install on another, or lock with pip and install with uv.

. "$(dirname "$0")/lib/finding.bash"
[ "$(uname -s)" = Linux ] || unable 'it is for Linux'
pip_install pip==26.3 uv==0.13.9

cat >finding.py <<'END'
import sys, tomllib

for file in sys.argv[1:]:
    with open(file, "rb") as lock:
        lock = tomllib.load(lock)
    packages = {package["name"]: package.get("marker", "no marker") for package in lock["packages"]}
    print(f"{file}: {packages}, environments: {'environments' in lock}, Python: {lock.get('requires-python')}")
END
venv/bin/python -m pip --quiet --disable-pip-version-check lock click==8.3.1 -o pylock.pip.toml 2>log || unable "$(cat log)"
printf '[project]\nname = "x"\nversion = "0"\nrequires-python = ">=3.11"\ndependencies = ["click==8.3.1"]\n' >pyproject.toml
venv/bin/uv --quiet export --no-header --format pylock.toml -o pylock.uv.toml >/dev/null 2>log || unable "$(cat log)"
venv/bin/python finding.py pylock.pip.toml pylock.uv.toml >>seen
for lock in pylock.pip.toml pylock.uv.toml; do
	plan=$(venv/bin/uv pip sync --dry-run --python-platform windows --target "$lock.d" "$lock" 2>&1 | grep '^ +' | tr -d '\n')
	echo "uv for Windows, of $lock:$plan"
done >>seen

expect <<'END'
pip 26.3
uv 0.13.9
pylock.pip.toml: {'click': 'no marker'}, environments: False, Python: None
pylock.uv.toml: {'click': 'no marker', 'colorama': "sys_platform == 'win32'"}, environments: False, Python: >=3.11
uv for Windows, of pylock.pip.toml: + click==8.3.1
uv for Windows, of pylock.uv.toml: + click==8.3.1 + colorama==0.4.6
END
