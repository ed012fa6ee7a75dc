// A server of boardgame.io with a game about as large as Rummikub: 106 tiles of which each seat sees its own rack. No rule is checked.
// Its matches are in memory, or in the files of the folder that is named.
const { Server, FlatFile } = require('boardgame.io/server')
const { PlayerView } = require('boardgame.io/core')

const seats = ['0', '1', '2', '3']

function deal(random) {
  const pool = random.Shuffle(Array.from({ length: 106 }, (_, n) => n))
  const players = {}
  for (const seat of seats) players[seat] = { rack: pool.splice(0, 14) }
  return { secret: { pool }, players, table: [] }
}

function draw(match, own) {
  if (match.secret.pool.length === 0) return false
  own.rack.push(match.secret.pool.pop())
  return true
}

const game = {
  name: 'tiles',
  setup: ({ random }) => deal(random),
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    draw: { client: false, move: ({ G, random, playerID }) => (draw(G, G.players[playerID]) ? G : deal(random)) },
    lay: {
      client: false,
      move: ({ G, random, playerID }) => {
        const own = G.players[playerID]
        if (own.rack.length > 3) G.table.push(own.rack.splice(0, 3))
        else if (!draw(G, own)) return deal(random)
        return G
      },
    },
  },
}

const folder = process.argv[2]
const server = Server({ games: [game], origins: [/.*/], db: folder ? new FlatFile({ dir: folder, logging: false }) : undefined })
server.run({ port: 0 }).then(({ appServer }) => console.log(`port ${appServer.address().port}`))
