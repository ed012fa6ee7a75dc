// Plays at a server of boardgame.io: at each table the seat whose turn it is moves as soon as all four have its newest state. It prints what
// it measured, in JSON: moves, seconds, and the milliseconds after which all four had a move, sorted.
const { io } = require('socket.io-client')

const [port, tables, seconds] = process.argv.slice(2).map(Number)
const seats = ['0', '1', '2', '3']
const took = []
let measuring = false

function table(name) {
  const at = seats.map(() => -1)
  let sent = 0
  let state
  const sockets = seats.map((seat) => io(`http://127.0.0.1:${port}/tiles`, { transports: ['websocket'], forceNew: true, reconnection: false }))
  const heard = (seat) => (match, news) => {
    const newest = news.state ?? news
    at[seat] = newest._stateID
    if (seat === Number(newest.ctx.currentPlayer)) state = newest
    if (!state || at.some((id) => id !== state._stateID)) return
    const now = performance.now()
    if (measuring && sent) took.push(now - sent)
    sent = now
    const mover = state.ctx.currentPlayer
    const payload = { type: state._stateID % 3 === 2 ? 'lay' : 'draw', args: [], playerID: mover }
    sockets[Number(mover)].emit('update', { type: 'MAKE_MOVE', payload }, state._stateID, name, mover)
  }
  sockets.forEach((socket, seat) => {
    socket.on('sync', heard(seat))
    socket.on('update', heard(seat))
  })
  return new Promise((seated) => {
    const join = (seat) => {
      if (seat === seats.length) return seated()
      const go = () => {
        sockets[seat].once('sync', () => join(seat + 1))
        sockets[seat].emit('sync', name, seats[seat], undefined, seats.length)
      }
      sockets[seat].connected ? go() : sockets[seat].once('connect', go)
    }
    join(0)
  })
}

async function main() {
  for (let n = 0; n < tables; n++) await table(`table-${n}`)
  await new Promise((rest) => setTimeout(rest, 3000))
  measuring = true
  const began = performance.now()
  await new Promise((rest) => setTimeout(rest, seconds * 1000))
  measuring = false
  const span = (performance.now() - began) / 1000
  took.sort((a, b) => a - b)
  const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))]
  console.log(JSON.stringify({ moves: took.length, seconds: span, p50: at(0.5), p99: at(0.99) }))
  process.exit(took.length ? 0 : 1)
}

main()
