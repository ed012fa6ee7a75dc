package tournament

// hashesAtOnce bounds the memory of password hashing: each takes 19 MiB.
const hashesAtOnce = 2
