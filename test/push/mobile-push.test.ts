import assert from 'node:assert/strict'
import test from 'node:test'
import { mobilePushOf } from '../../src/core/messages/send/message-workers.ts'
import { openChat } from '../../src/index.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'
import { roleId } from '../settings/proofs.ts'
import { appSecrets, PUSH_SERVICE, pushDevice, pushService } from './device.ts'

/** A world with a push service. */
async function served(answers: Parameters<typeof pushService>[0] = {}) {
  const service = pushService(answers)
  const w = await world({ chat: { pushService: PUSH_SERVICE, outgoing: { post: service.post } } })
  const settled = () => mobilePushOf(w.chat).settled()
  return {
    w,
    ...w.people,
    service,
    settled,
    /** The time passes, and the worker looks what is due. */
    async after(seconds: number) {
      w.clock.advance(seconds * 1000)
      mobilePushOf(w.chat).wake()
      await settled()
    },
    /** What the service was asked to send since the last look. */
    async sent() {
      await settled()
      const bodies = service.requests.splice(0).map(({ body }) => JSON.parse(body))
      return bodies.flatMap(({ push_requests = [] }) => push_requests as Sent[])
    },
  }
}
interface Sent {
  token_id: string
  token_kind: string
  payload: { push_key_id: number; encrypted_data: string }
}

const viewOf = async (who: Person, id: number) =>
  (await who.api.post('/register', { fetch_event_types: ['device'] })).devices[id]
const now = (w: World) => Math.floor(w.clock.now() / 1000)

test('registers a device, and sends messages that only the device can decrypt', async () => {
  const { w, hamlet, cordelia, service, sent } = await served()
  await using _ = w
  const received = await listen(hamlet, ['device'])
  const device = await pushDevice(w, hamlet)
  const { device_id, keyFields, tokenFields, decrypt } = device
  const [request] = service.requests.splice(0)
  assert.equal(request!.url, 'https://push.example.com/base/api/v1/remotes/push/e2ee/register')
  assert.equal(request!.headers.authorization, `Basic ${Buffer.from('id:secret').toString('base64')}`)
  const { realm_uuid } = await hamlet.api.post('/register', { fetch_event_types: ['realm'] })
  const { token_id, encrypted_push_registration, bouncer_public_key } = tokenFields
  assert.deepEqual(JSON.parse(request!.body), {
    realm_uuid,
    token_id,
    encrypted_push_registration,
    bouncer_public_key,
  })
  const { push_key_id } = keyFields
  assert.deepEqual(await received(), [
    { type: 'device', op: 'add', device_id },
    { type: 'device', op: 'update', device_id, push_key_id, pending_push_token_id: token_id },
    {
      ...{ type: 'device', op: 'update', device_id },
      ...{ push_token_id: token_id, pending_push_token_id: null, push_token_last_updated_timestamp: now(w) },
    },
  ])
  assert.deepEqual(await viewOf(hamlet, device_id), {
    ...{ push_key_id, push_token_id: token_id, pending_push_token_id: null },
    ...{ push_token_last_updated_timestamp: now(w), push_registration_error_code: null },
  })

  const { id } = await cordelia.says('To **you** alone', { people: [hamlet] })
  const [one, ...others] = await sent()
  assert.deepEqual(others, [])
  assert.ok(!JSON.stringify(one).includes('alone'))
  assert.deepEqual([one!.token_id, one!.token_kind, one!.payload.push_key_id], [token_id, 'fcm', push_key_id])
  const { sender_avatar_url, realm_name, ...payload } = decrypt(one!.payload.encrypted_data)
  assert.equal(typeof realm_name, 'string')
  assert.deepEqual(payload, {
    ...{ type: 'message', realm_url: 'http://localhost', user_id: hamlet.id, message_id: id },
    ...{ sender_id: cordelia.id, sender_full_name: 'cordelia', time: now(w), content: 'To you alone' },
    ...{ recipient_type: 'direct', recipient_user_ids: [hamlet.id, cordelia.id].sort((a, b) => a - b) },
  })
  await cordelia.says('@**hamlet** look', { topic: 'ghosts' })
  const [mention] = await sent()
  const { recipient_type, channel_id, channel_name, topic } = decrypt(mention!.payload.encrypted_data)
  const stream_id = await w.streamId('general')
  assert.deepEqual([recipient_type, channel_id, channel_name, topic], ['channel', stream_id, 'general', 'ghosts'])
  await cordelia.says('no mention', { topic: 'castle' })
  await hamlet.says('own words', { people: [cordelia] })
  assert.deepEqual(await sent(), [])
})

test('contacts nothing without a push service', async () => {
  const service = pushService()
  await using w = await world({ chat: { outgoing: { post: service.post } } })
  const { hamlet, cordelia } = w.people
  const { device_id } = await hamlet.api.post('/register_client_device')
  const { keyFields, tokenFields } = appSecrets()
  const { code } = await hamlet.api.post('/mobile_push/register', { device_id, ...keyFields, ...tokenFields })
  assert.equal(code, 'PUSH_SERVICE_NOT_CONFIGURED')
  await cordelia.says('psst', { people: [hamlet] })
  await mobilePushOf(w.chat).settled()
  assert.deepEqual(service.requests, [])
  await assert.rejects(openChat({ pushService: 'push.example.com' }), /must begin with https/)
})

test('checks registrations in the documented order', async () => {
  const { w, hamlet, cordelia, service } = await served({ register: { status: 500, body: '' } })
  await using _ = w
  const { device_id } = await hamlet.api.post('/register_client_device')
  const { keyFields, tokenFields, token } = appSecrets()
  const other = appSecrets()
  const ask = async (fields: object, who: Person = hamlet) =>
    (await who.api.post('/mobile_push/register', { device_id, ...fields })).msg
  const missing = 'Missing parameters: must provide either all push key fields, all token fields, or both.'
  assert.equal(await ask({ ...keyFields, ...tokenFields }, cordelia), 'Invalid device ID')
  assert.equal(await ask({}), missing)
  assert.equal(await ask({ push_key_id: 1 }), missing)
  assert.equal(await ask({ ...keyFields, token_kind: 'apns' }), missing)
  assert.equal(await ask(keyFields), 'No push registration exists to rotate key for.')
  assert.equal(await ask(tokenFields), 'No push registration exists to rotate token for.')
  const invalid = [
    [{ push_key_id: -1 }, 'Invalid push_key_id'],
    [{ push_key_id: 2 ** 32 }, 'Invalid push_key_id'],
    [{ push_key: Buffer.alloc(33).toString('base64') }, 'Invalid push_key'],
    [{ push_key: 'x' }, 'Invalid push_key'],
    [{ token_id: 'AAAA' }, 'Invalid token_id'],
    [{ token_kind: 'pager' }, 'Invalid token_kind'],
    [{ encrypted_push_registration: '~' }, 'Invalid encrypted_push_registration'],
  ] as const
  for (const [fields, msg] of invalid) assert.equal(await ask({ ...keyFields, ...tokenFields, ...fields }), msg)
  assert.equal(service.requests.length, 0)

  assert.equal((await hamlet.api.post('/users/me/android_gcm_reg_id', { token })).status, 200)
  assert.equal(await ask({ ...keyFields, ...tokenFields }), '')
  // The same device no longer gets notifications by the classic way.
  assert.equal((await hamlet.api.delete('/users/me/android_gcm_reg_id', { token })).msg, 'Token does not exist')
  assert.equal(await ask({ ...keyFields, ...tokenFields }), '')
  assert.equal(await ask(other.tokenFields), 'A registration for the device already in progress.')
  assert.equal(await ask(other.keyFields), '')
  const bot = await hamlet.api.post('/bots', { full_name: 'Bot', short_name: 'bot' })
  assert.equal(bot.status, 200)
})

test('repeats a registration, and stores why it failed', async () => {
  const { w, hamlet, service, after } = await served({ register: new Error('offline') })
  await using _ = w
  const { device_id, tokenFields } = await pushDevice(w, hamlet)
  const { token_id } = tokenFields
  assert.equal((await viewOf(hamlet, device_id)).pending_push_token_id, token_id)
  assert.equal(service.requests.length, 1)
  await after(4)
  assert.equal(service.requests.length, 1)
  service.current.answers = {}
  await after(1)
  assert.equal(service.requests.length, 2)
  assert.equal((await viewOf(hamlet, device_id)).push_token_id, token_id)

  const rotated = appSecrets()
  const ask = (fields: object) => hamlet.api.post('/mobile_push/register', { device_id, ...fields })
  for (const [code, shown] of [
    ['INVALID_BOUNCER_PUBLIC_KEY', 'INVALID_BOUNCER_PUBLIC_KEY'],
    ['REQUEST_EXPIRED', 'REQUEST_EXPIRED'],
    ['SOMETHING_ELSE', 'BAD_REQUEST'],
  ]) {
    service.current.answers = { register: { status: 400, body: JSON.stringify({ code }) } }
    assert.equal((await ask(rotated.tokenFields)).status, 200)
    await after(0)
    const view = await viewOf(hamlet, device_id)
    assert.deepEqual(
      [view.push_registration_error_code, view.pending_push_token_id, view.push_token_id],
      [shown, null, token_id],
    )
  }
  service.current.answers = {}
  await ask(rotated.tokenFields)
  await after(0)
  const view = await viewOf(hamlet, device_id)
  assert.deepEqual([view.push_registration_error_code, view.push_token_id], [null, rotated.tokenFields.token_id])
})

test('encrypts for the new key after a rotation, and forgets expired tokens', async () => {
  const { w, hamlet, cordelia, service, sent } = await served()
  await using _ = w
  const { device_id, tokenFields } = await pushDevice(w, hamlet)
  const rotated = appSecrets()
  await hamlet.api.post('/mobile_push/register', { device_id, ...rotated.keyFields })
  await sent()
  const expired_token_ids = [tokenFields.token_id]
  service.current.answers = { notify: { status: 200, body: JSON.stringify({ expired_token_ids }) } }
  await cordelia.says('psst', { people: [hamlet] })
  const [one] = await sent()
  assert.equal(rotated.decrypt(one!.payload.encrypted_data).content, 'psst')
  assert.equal((await viewOf(hamlet, device_id)).push_token_id, null)
  await cordelia.says('again', { people: [hamlet] })
  assert.deepEqual(await sent(), [])
})

test('repeats notifications while the service fails, and gives up read ones', async () => {
  const { w, hamlet, cordelia, service, sent, after } = await served({ notify: { status: 503, body: '' } })
  await using _ = w
  await pushDevice(w, hamlet)
  await sent()
  const { id } = await cordelia.says('psst', { people: [hamlet] })
  assert.equal((await sent()).length, 1)
  await after(5)
  assert.equal((await sent()).length, 1)
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await after(30)
  assert.equal((await sent()).length, 0)
  await cordelia.says('another', { people: [hamlet] })
  await sent()
  service.current.answers = {}
  await after(5)
  assert.equal((await sent()).length, 1)
  await after(3600)
  assert.equal((await sent()).length, 0)
})

test('sends a test notification, and says why it failed', async () => {
  const { w, hamlet, cordelia, service, sent } = await served()
  await using _ = w
  const ask = (fields: Record<string, unknown> = {}, who: Person = hamlet) =>
    who.api.post('/mobile_push/e2ee/test_notification', fields)
  assert.equal((await ask()).code, 'NO_ACTIVE_PUSH_DEVICE')
  const { device_id, decrypt } = await pushDevice(w, hamlet)
  await sent()
  assert.equal((await ask({ device_id }, cordelia)).code, 'NO_ACTIVE_PUSH_DEVICE')
  assert.equal((await ask({ device_id })).status, 200)
  const [one] = await sent()
  const { realm_name, ...payload } = decrypt(one!.payload.encrypted_data)
  assert.deepEqual(payload, { type: 'test', realm_url: 'http://localhost', user_id: hamlet.id, time: now(w) })
  for (const [notify, status, code] of [
    [{ status: 403, body: '' }, 403, 'ADMIN_ACTION_REQUIRED'],
    [{ status: 500, body: 'oops' }, 502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER'],
    [new Error('offline'), 502, 'FAILED_TO_CONNECT_BOUNCER'],
  ] as const) {
    service.current.answers = { notify }
    const answer = await ask()
    assert.deepEqual([answer.status, answer.code], [status, code])
  }
})

test('says that notifications are enabled, and stops for a removed device', async () => {
  const { w, hamlet, cordelia, sent } = await served()
  await using _ = w
  assert.equal((await hamlet.api.get('/server_settings')).push_notifications_enabled, true)
  const state = await hamlet.api.post('/register', { fetch_event_types: ['realm'] })
  assert.equal(state.realm_push_notifications_enabled, true)
  const { device_id } = await pushDevice(w, hamlet)
  await sent()
  await hamlet.api.post('/remove_client_device', { device_id })
  await cordelia.says('psst', { people: [hamlet] })
  assert.deepEqual(await sent(), [])
})

/** The payloads that were sent to a device since the last look, decrypted. */
const payloadsOf = (sent: readonly Sent[], { decrypt }: { decrypt(data: string): Record<string, unknown> }) =>
  sent.map(({ payload }) => decrypt(payload.encrypted_data))

test('has devices remove the notifications of read and deleted messages', async () => {
  const { w, hamlet, cordelia, iago, sent } = await served()
  await using _ = w
  const device = await pushDevice(w, hamlet)
  await sent()
  const ids: number[] = []
  for (const content of ['one', 'two', 'three', 'four']) {
    ids.push((await cordelia.says(content, { people: [hamlet] })).id)
    await sent()
  }
  const [first, second, third, fourth] = ids as [number, number, number, number]
  const removed = async () => payloadsOf(await sent(), device).map(({ type, message_ids }) => [type, message_ids])
  await hamlet.api.post('/messages/flags', { messages: [second, first], op: 'add', flag: 'read' })
  const [payload, ...others] = payloadsOf(await sent(), device)
  assert.deepEqual(others, [])
  const { realm_name, ...rest } = payload!
  assert.equal(typeof realm_name, 'string')
  const message_ids = [first, second]
  assert.deepEqual(rest, { type: 'remove', realm_url: 'http://localhost', user_id: hamlet.id, message_ids })
  await iago.api.patch('/realm', { can_delete_own_message_group: { new: await roleId(w, 'role:everyone') } })
  assert.equal((await cordelia.api.delete(`/messages/${third}`)).msg, '')
  assert.deepEqual(await removed(), [['remove', [third]]])
  await hamlet.api.post('/mark_all_as_read')
  assert.deepEqual(await removed(), [['remove', [fourth]]])
  await hamlet.api.post('/messages/flags', { messages: [fourth], op: 'remove', flag: 'read' })
  await hamlet.api.post('/messages/flags', { messages: [fourth], op: 'add', flag: 'read' })
  assert.deepEqual(await removed(), [])
})

test('repeats the removal of notifications while the service fails', async () => {
  const { w, hamlet, cordelia, service, sent, after } = await served()
  await using _ = w
  const device = await pushDevice(w, hamlet)
  const { id } = await cordelia.says('psst', { people: [hamlet] })
  await sent()
  service.current.answers = { notify: { status: 503, body: '' } }
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  assert.equal((await sent()).length, 1)
  service.current.answers = {}
  await after(5)
  assert.deepEqual(
    payloadsOf(await sent(), device).map(({ message_ids }) => message_ids),
    [[id]],
  )
  await after(3600)
  assert.deepEqual(await sent(), [])
})

test('forgets after two weeks which notifications a device shows', async () => {
  const { w, hamlet, cordelia, sent, after } = await served()
  await using _ = w
  await pushDevice(w, hamlet)
  const { id } = await cordelia.says('psst', { people: [hamlet] })
  await sent()
  await after(14 * 86_400)
  await hamlet.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  assert.deepEqual(await sent(), [])
})

test('names the smallest mentioned group in a notification, unless the reader is mentioned by name', async () => {
  const { w, hamlet, cordelia, iago, sent } = await served()
  await using _ = w
  const device = await pushDevice(w, hamlet)
  const create = async (name: string, members: number[]) =>
    (await iago.api.post('/user_groups/create', { name, description: '', members })).group_id
  await create('court', [hamlet.id, cordelia.id, iago.id])
  const princes = await create('princes', [hamlet.id])
  await create('others', [cordelia.id])
  const named = async (content: string) => {
    await cordelia.says(content)
    const [payload] = payloadsOf(await sent(), device)
    return [payload?.mentioned_user_group_id, payload?.mentioned_user_group_name]
  }
  assert.deepEqual(await named('@*court* @*princes* @*others*'), [princes, 'princes'])
  assert.deepEqual(await named('@*princes* and @**hamlet**'), [undefined, undefined])
  assert.deepEqual(await named('@**hamlet**, not @_*princes*'), [undefined, undefined])
})
