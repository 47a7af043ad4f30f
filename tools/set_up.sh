#!/bin/sh
# Makes .venv and installs Holdfast into it with one of its extras: sh tools/set_up.sh PYTHON EXTRA
# What can go wrong on somebody else's machine is said in one line that tells what to do.
python=$1
extra=$2

stop() {
	echo "holdfast: $*" >&2
	exit 1
}

command -v "$python" >/dev/null || stop "there is no $python. Install Python 3.11 or newer, or name yours: make run PYTHON=/path/to/python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
	stop "Python 3.11 or newer is needed, and $python is $("$python" -V 2>&1). Name another: make run PYTHON=python3.12"
"$python" -c 'import ensurepip, venv' 2>/dev/null ||
	stop "$python cannot make virtual environments. On Debian and Ubuntu: sudo apt install python3-venv"
mkdir -p .venv 2>/dev/null && touch .venv/install.log 2>/dev/null ||
	stop "$(pwd) cannot be written to. Copy it to a folder of your own and run make there"

echo "Setting up in .venv (once, about half a minute) …"
"$python" -m venv .venv >.venv/install.log 2>&1 || stop "making .venv failed: $(tail -n 1 .venv/install.log)"
if ! .venv/bin/pip install --quiet --disable-pip-version-check --no-compile --editable ".[$extra]" >.venv/install.log 2>&1; then
	if grep -q 'Python\.h' .venv/install.log; then
		stop "a package has to be compiled here, and Python's headers are missing. On Debian and Ubuntu: sudo apt install python3-dev g++"
	elif grep -Eqi 'gcc|g\+\+|compiler' .venv/install.log; then
		stop "a package has to be compiled here, and there is no compiler. On Debian and Ubuntu: sudo apt install g++ python3-dev"
	elif grep -Eqi 'no space left' .venv/install.log; then
		stop "no space is left on this disk; setting up needs about 120 MB"
	elif grep -Eqi 'connection|resolve|timed out|network|proxy' .venv/install.log; then
		stop "the package index cannot be reached. Check the network, then run make again (.venv/install.log has it whole)"
	fi
	stop "installing failed: $(grep -i error .venv/install.log | tail -n 1) (.venv/install.log has it whole)"
fi
