# The common part of the findings, for `.` at their beginning. It prints the description, and
# makes, enters and at the end removes a temporary folder. Exit codes: 0, as described; 1,
# something changed; 2, it could not be run.
set -euo pipefail

script=$(readlink -f "$0")
finding=$(basename "$script" .sh)
sed -n '2,/^$/s/^# \{0,1\}//p' "$script"
day=$(sed -n 's/^# Seen: *//p' "$script")
work=$(mktemp -d)
trap finish EXIT
cd "$work"

# finish removes the folder. If the finding ended before it compared, finish prints how far it came.
finish() {
	if [ $? -eq 1 ] && [ ! -e expected ]; then
		printf '\n%s has CHANGED, it ended after:\n' "$finding"
		cat seen log 2>/dev/null | sed 's/^/    /'
	fi
	chmod -R u+w "$work"
	rm -rf "$work"
}

unable() {
	printf '%s: %s\n' "$finding" "$*" >&2
	exit 2
}

# npm_install NAME@VERSION… installs packages of npm, and their dependencies as of the day of
# the finding, without their install scripts.
npm_install() {
	echo '{"private": true, "type": "module"}' >package.json
	npm install --silent --no-audit --no-fund --ignore-scripts --before="$day" "$@" || unable 'npm failed'
	for package in "$@"; do
		node -p "'${package%@*} ' + require('./node_modules/${package%@*}/package.json').version"
	done >>seen
}

# pip_install NAME==VERSION… does the same for PyPI, into venv. It uses an installed uv, or
# installs one for itself.
pip_install() {
	command -v uv >/dev/null || {
		python3 -m pip install --quiet --disable-pip-version-check --target "$work/uv" uv==0.13.9 || unable 'pip failed'
		PATH=$work/uv/bin:$PATH
	}
	uv --quiet venv --python "$(command -v python3)" venv &&
		uv --quiet pip install --python venv/bin/python --exclude-newer "$day" "$@" || unable 'uv failed'
	for package in "$@"; do
		venv/bin/python -c 'import sys, importlib.metadata as m; print(sys.argv[1], m.version(sys.argv[1]))' "${package%==*}"
	done >>seen
}

# go_build MODULE@VERSION… builds main.go to ./main. A version of a Go module fixes the
# versions of its dependencies.
go_build() {
	export GOWORK=off GOFLAGS="-trimpath -mod=mod"
	go mod init finding 2>/dev/null
	go get "$@" 2>go.log && go build -o main . 2>>go.log || unable "go failed: $(cat go.log)"
	for module in "$@"; do
		go list -m "${module%@*}"
	done >>seen
}

# expect compares the lines of seen, versions first, with those of its input.
expect() {
	cat >expected
	printf '\nWhat was seen:\n'
	sed 's/^/    /' seen
	cmp -s expected seen && return
	printf '\n%s has CHANGED, expected (-) and seen (+):\n' "$finding"
	diff -U9 expected seen | sed '1,3d; s/^/    /'
	exit 1
}
