#!/bin/sh
# Before a package is unpacked: creates the service's user, and backs the database up before an upgrade. dpkg calls this
# with "install" or "upgrade", rpm with 1 or 2. If the backup fails, the upgrade stops and the old version stays.
set -e

id meldhall >/dev/null 2>&1 ||
	useradd --system --user-group --home-dir /var/lib/meldhall --shell /usr/sbin/nologin meldhall
[ -d /var/lib/meldhall ] || install -d -m 700 -o meldhall -g meldhall /var/lib/meldhall

case "$1" in
upgrade | 2)
	db=$(sed -n 's/^MELDHALL_DB=//p' /etc/meldhall.env 2>/dev/null | tail -n 1)
	[ -n "$db" ] || db=/var/lib/meldhall/meldhall.db
	case "$db" in
	postgres*) exists=yes ;;
	*) [ ! -e "$db" ] || exists=yes ;;
	esac
	if [ -n "$exists" ] && [ -x /usr/bin/meldhall ]; then
		runuser -u meldhall -- mkdir -p /var/lib/meldhall/backups
		runuser -u meldhall -- env MELDHALL_DB="$db" /usr/bin/meldhall backup \
			"/var/lib/meldhall/backups/before-upgrade-$(date +%Y%m%d-%H%M%S).db"
	fi
	;;
esac
