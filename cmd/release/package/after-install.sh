#!/bin/sh
# After a package is unpacked: starts the service, or restarts it with the new program.
set -e

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl enable --quiet meldhall
	systemctl restart meldhall
	echo "Meldhall runs. Its address and the link for the first organizer: journalctl -u meldhall -o cat | head"
fi
