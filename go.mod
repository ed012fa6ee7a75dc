module meldhall

go 1.26
