// Calls with the types that were generated from the API document.
import createClient from 'openapi-fetch'
import type { components, paths } from './meldhall.ts'

type Failure = components['schemas']['Failure']
type Answer = { response: Response; error?: Failure }

const [base, password, code, ...numbers] = process.argv.slice(2)
const [id, round, game] = numbers.map(Number)
const client = createClient<paths>({ baseUrl: base })
let calls = 0

// answer checks a call's status, and the code of the error if there must be one.
function answer<T extends Answer>(name: string, got: T, status: number, failed = ''): T {
  calls++
  if (got.response.status !== status) throw new Error(`${name}: ${got.response.status} ${JSON.stringify(got.error)}`)
  if (failed && (got.error?.code !== failed || !got.error.message)) {
    throw new Error(`${name}: ${JSON.stringify(got.error)}`)
  }
  return got
}

const event = { params: { path: { id } } }
const all = answer('tournaments', await client.GET('/tournaments'), 200)
if (all.data?.length !== 1 || all.data[0]?.id !== id) throw new Error('the list has not the one event')
answer('tournament', await client.GET('/tournaments/{id}', event), 200)
answer('no tournament', await client.GET('/tournaments/{id}', { params: { path: { id: id + 1000 } } }), 404,
  'err_tournament_not_found')
const players = answer('players', await client.GET('/tournaments/{id}/players', event), 200)
if (players.data?.length !== 4) throw new Error('there are not 4 players')
answer('standings', await client.GET('/tournaments/{id}/standings', event), 200)
answer('round', await client.GET('/rounds/{id}', { params: { path: { id: round } } }), 200)
answer('game', await client.GET('/games/{id}', { params: { path: { id: game } } }), 200)
answer('schedule', await client.GET('/tournaments/{id}/schedule', event), 200)
answer('announcements', await client.GET('/tournaments/{id}/announcements', event), 200)
answer('promises', await client.GET('/tournaments/{id}/promises', event), 200)
answer('export', await client.GET('/tournaments/{id}/export/standings.json', event), 200)
answer('presets', await client.GET('/presets'), 200)
answer('join with a wrong code', await client.POST('/join', { body: { code: 'XXXXXXXX' } }), 404, 'err_code_wrong')
const joined = answer('join', await client.POST('/join', { body: { code } }), 200)
const seat = { headers: { Authorization: `Bearer ${joined.data?.token}` } }
answer('seat', await client.GET('/seat', seat), 200)
answer('seat without a token', await client.GET('/seat'), 401, 'err_join_first')
answer('sign in with a wrong password',
  await client.POST('/sign-in', { body: { name: 'organizer', password: 'wrong' } }), 401, 'err_sign_in_wrong')
const session = answer('sign in', await client.POST('/sign-in', { body: { name: 'organizer', password } }), 200)
const official = { headers: { Authorization: `Bearer ${session.data?.token}` } }
answer('announce', await client.POST('/tournaments/{id}/announcements', { ...event, ...official,
  body: { level: 'note', minutes: 5, texts: { en: 'Lunch is ready.' } } }), 200)
answer('an unknown format', await client.POST('/tournaments', { ...official,
  body: { name: 'Cup', format: 'none', rules: { preset: 'wrc' } } }), 422, 'err_format_unknown')
answer('create', await client.POST('/tournaments', { ...official,
  body: { name: 'Cup', format: 'open', rules: { preset: 'wrc' } } }), 200)
console.log(calls, 'calls')
