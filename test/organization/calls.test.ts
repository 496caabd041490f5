import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import { openChat } from '../../src/index.ts'
import { createPost, type PostAnswer, type PostRequest } from '../../src/network/post.ts'
import { world } from '../../src/testing/index.ts'
import { basic } from '../http/targets.ts'

const BIG_BLUE_BUTTON = 'https://:sec%20ret@bbb.example.com/bigbluebutton/'
const CONSTRUCTOR_GROUPS = 'https://access:sec%20ret@groups.example.com/api/groups/xapi/'
const NEXTCLOUD = 'https://talk-bot:app-password@cloud.example.com'

/** A world with servers for calls. Their answer may be replaced, and their requests are kept. */
async function served(
  callServers = {
    bigBlueButton: BIG_BLUE_BUTTON,
    constructorGroups: CONSTRUCTOR_GROUPS,
    nextcloudTalk: NEXTCLOUD,
  },
) {
  const requests: PostRequest[] = []
  const current: { answer: PostAnswer | Error } = { answer: { status: 200, body: '' } }
  const post = async (request: PostRequest) => {
    requests.push(request)
    if (current.answer instanceof Error) throw current.answer
    return current.answer
  }
  const w = await world({ chat: { callServers, outgoing: { post } } })
  return { w, requests, current }
}
const room = (token: unknown) => ({ status: 201, body: JSON.stringify({ ocs: { meta: {}, data: { token } } }) })
const xml = (...lines: string[]) => ({ status: 200, body: `<response>${lines.join('\n')}</response>` })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('offers the providers of calls whose servers are configured', async () => {
  const offered = async (callServers: Record<string, string>) => {
    await using w = await world({ chat: { callServers } })
    const { iago } = w.people
    const state = await iago.api.post('/register', { fetch_event_types: ['realm'] })
    const choose = async (video_chat_provider: number) => (await iago.api.patch('/realm', { video_chat_provider })).msg
    return [Object.keys(state.realm_available_video_chat_providers), await choose(4), await choose(7)]
  }
  const refused = (id: number) => `Invalid video_chat_provider ${id}`
  const always = ['disabled', 'jitsi_meet', 'url_template']
  assert.deepEqual(await offered({}), [always, refused(4), refused(7)])
  assert.deepEqual(await offered({ bigBlueButton: BIG_BLUE_BUTTON }), [[...always, 'big_blue_button'], '', refused(7)])
  assert.deepEqual(await offered({ constructorGroups: CONSTRUCTOR_GROUPS }), [
    [...always, 'constructor_groups'],
    refused(4),
    refused(7),
  ])
  assert.deepEqual(await offered({ nextcloudTalk: NEXTCLOUD }), [[...always, 'nextcloud_talk'], refused(4), ''])
})

test('rejects addresses of call servers without credentials', async () => {
  await assert.rejects(openChat({ callServers: { bigBlueButton: 'https://bbb.example.com' } }), /with its secret/)
  await assert.rejects(
    openChat({ callServers: { constructorGroups: 'https://a@groups.example.com' } }),
    /with its keys/,
  )
  await assert.rejects(openChat({ callServers: { nextcloudTalk: 'ftp://a:b@example.com' } }), /user and password/)
})

test("returns the caller's own room on the Constructor Groups server", async () => {
  const { w, requests, current } = await served()
  await using _ = w
  const { hamlet } = w.people
  const create = () => hamlet.api.post('/calls/constructorgroups/create')
  const ownRoom = (url: unknown) => ({ status: 200, body: JSON.stringify({ url }) })
  current.answer = ownRoom('https://groups.example.com/room/1')
  assert.equal((await create()).url, 'https://groups.example.com/room/1')
  const [request] = requests
  assert.equal(request!.url, 'https://groups.example.com/api/groups/xapi/room/default')
  assert.equal(request!.headers.authorization, `Bearer access|${sha256('access|sec ret')}`)
  assert.deepEqual(JSON.parse(String(request!.body)), {
    creator_email: hamlet.email,
    name: "hamlet's room",
    fallback_name: `hamlet's room (${hamlet.id})`,
  })
  for (const [answer, msg] of [
    [{ status: 403, body: '' }, 'Error authenticating to the Constructor Groups server.'],
    [{ status: 500, body: '' }, 'The Constructor Groups server returned an unexpected error.'],
    [ownRoom(undefined), 'The Constructor Groups server returned an unexpected error.'],
    [ownRoom('javascript:alert(1)'), 'The Constructor Groups server returned an unexpected error.'],
    [new Error('offline'), 'Error connecting to the Constructor Groups server.'],
  ] as const) {
    current.answer = answer
    const refused = await create()
    assert.deepEqual([refused.status, refused.msg], [400, msg])
  }
})

test('creates a public conversation on the Nextcloud server', async () => {
  const { w, requests, current } = await served()
  await using _ = w
  const { hamlet } = w.people
  const create = (room_name = 'Plot') => hamlet.api.post('/calls/nextcloud_talk/create', { room_name })
  current.answer = room('x7k2mn9p')
  const { url } = await create()
  assert.equal(url, 'https://cloud.example.com/index.php/call/x7k2mn9p')
  const [request] = requests
  assert.equal(request!.url, 'https://cloud.example.com/ocs/v2.php/apps/spreed/api/v4/room')
  assert.equal(request!.headers['ocs-apirequest'], 'true')
  assert.equal(request!.headers.authorization, `Basic ${Buffer.from('talk-bot:app-password').toString('base64')}`)
  assert.deepEqual(JSON.parse(String(request!.body)), { roomType: 3, roomName: 'Plot' })
  assert.match((await hamlet.api.post('/calls/nextcloud_talk/create')).msg, /room_name/)
  for (const [answer, msg] of [
    [{ status: 401, body: '' }, 'Error authenticating to the Nextcloud Talk server.'],
    [{ status: 500, body: '' }, 'The Nextcloud Talk server returned an unexpected error.'],
    [{ status: 200, body: '<html>' }, 'The Nextcloud Talk server returned an unexpected error.'],
    [room('../../evil'), 'The Nextcloud Talk server returned an unexpected error.'],
    [new Error('offline'), 'Error connecting to the Nextcloud Talk server.'],
  ] as const) {
    current.answer = answer
    const refused = await create()
    assert.deepEqual([refused.status, refused.msg], [400, msg])
  }
})

test('creates a BigBlueButton meeting when somebody first joins, with its creator as moderator', async () => {
  const { w, requests, current } = await served()
  await using _ = w
  const { hamlet, cordelia } = w.people
  const app = createApp({ chat: w.chat, rateLimit: false })
  const join = (url: string, who = hamlet) =>
    app.fetch(new Request(url, { headers: { authorization: basic(who.email, who.key) }, redirect: 'manual' }))
  const { url } = await hamlet.api.get('/calls/bigbluebutton/create', { meeting_name: 'a & b', voice_only: true })
  assert.match(url, /^http:\/\/localhost\/calls\/bigbluebutton\/join\?bigbluebutton=[\w.-]+$/)
  assert.equal(requests.length, 0)
  const success = xml('<returncode>SUCCESS</returncode>', '<createTime>1531155809613</createTime>')
  current.answer = success
  const roles: unknown[] = []
  for (const who of [hamlet, cordelia]) {
    const answer = await join(url, who)
    assert.equal(answer.status, 302)
    const location = new URL(answer.headers.get('location')!)
    assert.equal(location.origin + location.pathname, 'https://bbb.example.com/bigbluebutton/api/join')
    const [query, checksum] = location.search.slice(1).split('&checksum=')
    assert.equal(checksum, sha256(`join${query}sec ret`))
    const { role, fullName, createTime } = Object.fromEntries(location.searchParams)
    roles.push([role, fullName, createTime])
  }
  assert.deepEqual(roles, [
    ['MODERATOR', 'hamlet', '1531155809613'],
    ['VIEWER', 'cordelia', '1531155809613'],
  ])
  const asked = requests.map((request) => new URL(request.url))
  assert.equal(asked[0]!.href, asked[1]!.href)
  assert.deepEqual([requests[0]!.method, asked[0]!.pathname], ['GET', '/bigbluebutton/api/create'])
  const [query, checksum] = asked[0]!.search.slice(1).split('&checksum=')
  assert.equal(checksum, sha256(`create${query}sec ret`))
  const { name, lockSettingsDisableCam } = Object.fromEntries(asked[0]!.searchParams)
  assert.deepEqual([name, lockSettingsDisableCam], ['a & b', 'true'])

  const failure = async (answer: PostAnswer | Error, address = url) => {
    current.answer = answer
    const response = await join(address)
    return [response.status, ((await response.json()) as { msg: string }).msg]
  }
  const failed = '<returncode>FAILED</returncode>'
  const unexpected = 'The BigBlueButton server returned an unexpected error.'
  assert.deepEqual(await failure(xml(failed, '<messageKey>checksumError</messageKey>')), [
    400,
    'Error authenticating to the BigBlueButton server.',
  ])
  assert.deepEqual(await failure(xml(failed, '<messageKey>idNotUnique</messageKey>')), [400, unexpected])
  assert.deepEqual(await failure(new Error('offline')), [400, 'Error connecting to the BigBlueButton server.'])
  assert.deepEqual(await failure(success, `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`), [
    400,
    'Invalid signature.',
  ])
  const other = url.replace(/=.+\./, `=${Buffer.from('{"meeting_id":"x"}').toString('base64url')}.`)
  assert.deepEqual(await failure(success, other), [400, 'Invalid signature.'])
})

test('reaches no call server in a private network unless that is allowed', async () => {
  await using w = await world({
    chat: {
      callServers: { nextcloudTalk: 'http://a:b@127.0.0.1:9' },
      outgoing: { post: createPost() },
    },
  })
  const { status, msg } = await w.people.hamlet.api.post('/calls/nextcloud_talk/create', { room_name: 'x' })
  assert.deepEqual([status, msg], [400, 'Error connecting to the Nextcloud Talk server.'])
})
