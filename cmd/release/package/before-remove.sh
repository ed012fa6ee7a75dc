#!/bin/sh
# Before a package is removed: stops the service. dpkg calls this with "remove" or "upgrade", rpm with 0 or 1.
set -e

case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now --quiet meldhall
	fi
	;;
esac
