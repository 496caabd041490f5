import type { Selectable } from 'kysely'
import { type DeviceTable, type PushDeliveryTable, StorageError } from '../../storage/index.ts'
import { changeDevice } from '../accounts/devices.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import { type Caller, type Context, callerOf, contextOf } from '../kernel/context.ts'
import { publicUrlOf } from '../kernel/public-url.ts'
import { dialectOf, storeOf } from '../kernel/store.ts'
import { findUser } from '../kernel/user.ts'
import { plainText } from '../markup/plain-text.ts'
import { type MessageWorker, startMessageWorker } from '../messages/send/message-workers.ts'
import { settingsOf } from '../settings/organization.ts'
import { userSettingOf } from '../settings/user.ts'
import type { MessageView } from '../shapes/message.ts'
import { isPassing, isPresent, unreadMessage, WAITS } from './deliver.ts'
import { devicesToServe } from './devices-to-serve.ts'
import { mentionedGroup } from './mentioned-group.ts'
import { noteMessages, ofDevices } from './note-messages.ts'
import { membersOf, NOTIFY_PATH, postToService, pushRequest, REGISTER_PATH } from './push-service.ts'
import { createShownNotifications, noteShown, states } from './shown-notifications.ts'

type Device = Selectable<DeviceTable>

const AT_ONCE = 20
/** After a power failure, the deliveries are created again because progress is lost with them. */
const RELAXED = { relaxed: true }
/** Push services accept 4 KiB of encrypted text in Base64. This is less, even with four bytes per character. */
const MAX_TEXT = 200

/** Errors of a registration that the service has, and that clients know. */
const finalErrors: readonly unknown[] = ['INVALID_BOUNCER_PUBLIC_KEY', 'REQUEST_EXPIRED', 'BAD_REQUEST']
/** Follows messages, and notifies mobile devices of them through the push service that the operator named. */
export function startMobilePush(chat: Chat): MessageWorker {
  const context = contextOf(chat)
  const shown = chat.options.pushService === '' ? undefined : createShownNotifications(chat, () => worker.wake())
  const worker = startMessageWorker(chat, {
    name: 'mobile push',
    failure: 'notifying a device failed',
    receiver: 'device_id',
    async isNeeded() {
      if (chat.options.pushService === '') return false
      const { first, isPending } = await devicesToServe.get(context)
      return first !== null || isPending
    },
    async note() {
      while (await context.write((tx) => noteMessages(tx, ofDevices), RELAXED));
      await shown?.endRead()
    },
    /** Starts with the longest waiting ones. */
    async startDue({ underWay, signal, start }) {
      const { db, dialect } = storeOf(chat)
      const now = seconds(chat.clock)
      const busy = dialect.idsIn([...underWay.keys()])
      const registrations = await db
        .selectFrom('device')
        .select(['id', 'pending_next_at as next_at'])
        .where('pending_token_id', 'is not', null)
        .where('id', 'not in', busy)
        .orderBy('pending_next_at')
        .limit(AT_ONCE)
        .execute()
      const notifications = await db
        .selectFrom('push_delivery')
        .select((eb) => ['device_id as id', eb.fn.min('next_at').as('next_at')])
        .where('device_id', 'not in', busy)
        .groupBy('device_id')
        .orderBy('next_at')
        .limit(AT_ONCE)
        .execute()
      const due = [
        ...registrations.map((row) => ({ ...row, work: registerNext })),
        ...notifications.map((row) => ({ ...row, work: notifyNext(shown) })),
      ].sort((a, b) => (a.next_at ?? 0) - (b.next_at ?? 0))
      for (const { id, next_at, work } of due) {
        if ((next_at ?? 0) > now) return next_at ?? undefined
        if (underWay.size < AT_ONCE && !underWay.has(id)) start(id, work(chat, id, signal))
      }
      return undefined
    },
  })
  return worker
}

const deviceOf = ({ db }: Pick<Caller, 'db'>, id: number) =>
  db.selectFrom('device').selectAll().where('id', '=', id).executeTakeFirst()

/** Asks the service to take a device's registration, and stores what it answers. */
async function registerNext(chat: Chat, device_id: number, signal: AbortSignal): Promise<void> {
  const context = contextOf(chat)
  const device = await deviceOf(context, device_id)
  if (!device || device.pending_token_id === null) return
  const request = {
    token_id: device.pending_token_id,
    encrypted_push_registration: device.pending_registration,
    bouncer_public_key: device.pending_public_key,
  }
  const answer = await postToService(context, REGISTER_PATH, request, signal).catch((error) => {
    if (signal.aborted) throw error
    return undefined
  })
  if (!answer || isPassing(answer.status)) {
    const wait = WAITS[device.pending_attempts ?? 0]
    if (wait === undefined) return fail(chat, device, 'REQUEST_EXPIRED')
    const pending_attempts = (device.pending_attempts ?? 0) + 1
    const pending_next_at = seconds(chat.clock) + wait
    await context.write((tx) =>
      tx.db.updateTable('device').set({ pending_attempts, pending_next_at }).where('id', '=', device.id).execute(),
    )
    return
  }
  if (answer.status >= 300) {
    const { code } = membersOf(answer)
    return fail(chat, device, finalErrors.includes(code) ? String(code) : 'BAD_REQUEST')
  }
  await context.write(async (tx) => {
    const now = await deviceOf(tx, device.id)
    // It was removed or replaced since.
    if (!now || now.pending_token_id !== device.pending_token_id) return
    const newest = await tx.db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    await changeDevice(tx, now, {
      ...nothingPending,
      push_token_id: now.pending_token_id,
      push_token_kind: now.pending_token_kind,
      push_token_updated_at: seconds(chat.clock),
      push_from_message_id: now.push_from_message_id ?? newest?.id ?? 0,
      push_error: null,
    })
    devicesToServe.invalidate(tx)
  })
}

const nothingPending = {
  pending_token_id: null,
  pending_token_kind: null,
  pending_registration: null,
  pending_public_key: null,
  pending_attempts: null,
  pending_next_at: null,
}

const fail = (chat: Chat, device: Device, push_error: string): Promise<void> =>
  contextOf(chat).write(async (tx) => {
    const now = await deviceOf(tx, device.id)
    // The app asked again since.
    if (!now || now.pending_token_id !== device.pending_token_id) return
    await changeDevice(tx, now, { ...nothingPending, push_error })
    devicesToServe.invalidate(tx)
  })

/** Notifies a device of the next message, or that it should no longer show some. */
const notifyNext =
  (shown: ReturnType<typeof createShownNotifications> | undefined) =>
  async (chat: Chat, device_id: number, signal: AbortSignal): Promise<void> => {
    const context = contextOf(chat)
    const device = await deviceOf(context, device_id)
    const delivery = await context.db
      .selectFrom('push_delivery')
      .selectAll()
      .where('device_id', '=', device_id)
      .orderBy('next_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!device || !delivery) return
    const user = await findUser(context.db, device.user_id)
    const reader = user?.is_active ? callerOf(chat, user, { client: 'mobile push' }) : undefined
    if (!reader || device.push_token_id === null || delivery.state === states.shown) return drop(chat, [delivery])
    const rows = delivery.state === states.ending ? await endingWith(context, delivery) : [delivery]
    const payload =
      delivery.state === states.ending
        ? { type: 'remove', ...(await payloadOf(reader)), message_ids: rows.map((row) => row.message_id) }
        : await newPayload(reader, delivery)
    if (!payload) return drop(chat, rows)
    try {
      const answer = await notify(reader, [device], payload, signal)
      if (isPassing(answer.status)) return await later(chat, rows)
      if (answer.status >= 300 || delivery.state === states.ending) return await drop(chat, rows)
      await noteShown(chat, delivery)
      shown?.check(reader.user.id)
    } catch (error) {
      if (signal.aborted || error instanceof StorageError) throw error
      await later(chat, rows)
    }
  }

type Delivery = Selectable<PushDeliveryTable>

/** One payload removes at most this many notifications, so that it fits into a push. */
const MAX_REMOVED = 200

/** Returns the notifications that the same device should no longer show and whose time has come, ascending. */
const endingWith = ({ db, chat }: Context, { device_id }: Delivery): Promise<Delivery[]> =>
  db
    .selectFrom('push_delivery')
    .selectAll()
    .where('device_id', '=', device_id)
    .where('state', '=', states.ending)
    .where('next_at', '<=', seconds(chat.clock))
    .orderBy('message_id')
    .limit(MAX_REMOVED)
    .execute()

const idsOf = (rows: readonly Delivery[]): number[] => rows.map((row) => row.id)

const drop = (chat: Chat, rows: readonly Delivery[]): Promise<void> =>
  contextOf(chat).write(
    async ({ db }) =>
      void (await db
        .deleteFrom('push_delivery')
        .where('id', 'in', dialectOf(chat).idsIn(idsOf(rows)))
        .execute()),
  )

async function later(chat: Chat, rows: readonly Delivery[]): Promise<void> {
  const attempts = Math.max(...rows.map((row) => row.attempts))
  const wait = WAITS[attempts]
  if (wait === undefined) return drop(chat, rows)
  const changes = { attempts: attempts + 1, next_at: seconds(chat.clock) + wait }
  await contextOf(chat).write(({ db }) =>
    db
      .updateTable('push_delivery')
      .set(changes)
      .where('id', 'in', dialectOf(chat).idsIn(idsOf(rows)))
      .execute(),
  )
}

/** Returns what to send of a new message; undefined if its user is present or has read it since. */
async function newPayload(reader: Caller, { message_id }: Delivery) {
  const message = await unreadMessage(reader, message_id)
  if (!message) return undefined
  if ((await isPresent(reader)) && !(await userSettingOf(reader, 'enable_online_push_notifications'))) return undefined
  return messagePayload(reader, message)
}

/** Sends one payload to some devices of a user. Forgets the tokens that the service says have expired. */
export async function notify(reader: Caller, devices: readonly Device[], payload: object, signal: AbortSignal) {
  const push_requests = await Promise.all(devices.map((device) => pushRequest(device, payload)))
  const answer = await postToService(reader, NOTIFY_PATH, { push_requests }, signal)
  const { expired_token_ids } = membersOf(answer)
  const expired: readonly unknown[] = Array.isArray(expired_token_ids) ? expired_token_ids : []
  const gone = devices.filter(({ push_token_id }) => push_token_id !== null && expired.includes(push_token_id))
  if (gone.length > 0) {
    await contextOf(reader.chat).write(async (tx) => {
      for (const device of gone) await changeDevice(tx, device, { push_token_id: null, push_token_kind: null })
      devicesToServe.invalidate(tx)
    })
  }
  return answer
}

/** What every payload says of the organization and its reader. */
export async function payloadOf(reader: Caller) {
  const { name } = await settingsOf(reader)
  return { realm_url: publicUrlOf(reader.chat), realm_name: name, user_id: reader.user.id }
}

async function messagePayload(reader: Caller, message: MessageView) {
  const { id, sender_id, sender_full_name, avatar_url, timestamp, content } = message
  const place =
    message.type === 'private'
      ? {
          recipient_type: 'direct',
          recipient_user_ids: message.display_recipient.map((person) => person.id).sort((a, b) => a - b),
        }
      : {
          recipient_type: 'channel',
          channel_id: message.stream_id,
          channel_name: message.display_recipient,
          topic: message.subject,
        }
  return {
    type: 'message',
    ...(await payloadOf(reader)),
    message_id: id,
    sender_id,
    sender_full_name,
    sender_avatar_url: avatar_url,
    time: timestamp,
    content: [...plainText(content)].slice(0, MAX_TEXT).join(''),
    ...place,
    ...(await mentionedGroup(reader, message)),
  }
}
