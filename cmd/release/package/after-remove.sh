#!/bin/sh
# After a package is removed: says where the data is, because neither removal nor purge deletes it.
set -e

case "$1" in
remove | purge | 0)
	if [ -d /run/systemd/system ]; then
		systemctl daemon-reload
	fi
	echo "The database and its copies stay in /var/lib/meldhall. Delete that folder if nobody needs them any more."
	;;
esac
