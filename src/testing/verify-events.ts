import assert from 'node:assert/strict'
import { firstParts, laterOf, laterParts } from '../client/live/registration.ts'
import { applyEvent } from '../client/state/apply-event.ts'
import type { ClientState } from '../client/state/client-state.ts'
import { deleteQueue, getEvents } from '../core/events/queues/poll.ts'
import { register } from '../core/events/queues/register.ts'
import type { ChatEvent } from '../core/events/types/table.ts'
import { listAttachments } from '../core/files/attachments.ts'
import type { Caller } from '../core/kernel/context.ts'
import type { AttachmentView } from '../core/shapes/attachment.ts'
import { assertSameState } from './compare-state.ts'

export type RegisterOptions = NonNullable<Parameters<typeof register>[1]>

/** A client that has registered, keeps its state up to date by events, and can be compared with a new registration. */
export interface Follower {
  readonly state: ClientState
  /** Every event it has received so far. */
  readonly events: readonly ChatEvent[]
  /** Fetches and applies new events. */
  catchUp(): Promise<void>
  /** Fetches the people of a state that started without them, before waiting events are applied. */
  fetchPeople(): Promise<void>
  /** Throws unless the state equals a new registration's. */
  verify(message?: string): Promise<void>
  leave(): Promise<void>
}

/**
 * Registers a client of this user. `caller` is called each time because the account may change. With `peopleLater`,
 * the state starts without people, like a client that shows something quickly.
 */
export async function follow(
  caller: () => Caller,
  options: RegisterOptions = {},
  { peopleLater = false }: { peopleLater?: boolean } = {},
): Promise<Follower> {
  const parts = peopleLater && { fetch_event_types: [...firstParts] }
  const state = { ...(peopleLater && laterOf(undefined)), ...(await registered(caller(), { ...options, ...parts })) }
  const { queue_id } = state
  const attachments = await attachmentListOf(caller())
  const events: ChatEvent[] = []
  let last = state.last_event_id
  const follower: Follower = {
    state,
    events,
    async catchUp() {
      for (;;) {
        const answer = await getEvents(caller(), { queue_id, last_event_id: last, dont_block: true })
        if (answer.events.length === 0) return
        for (const event of answer.events) {
          if (event.id <= last) throw new Error(`event ${event.id} came after ${last}`)
          last = event.id
          events.push(event)
          applyEvent(state, structuredClone(event))
          attachments.apply(event)
        }
      }
    },
    async fetchPeople() {
      const wanted = { ...options, event_types: [], fetch_event_types: [...laterParts] }
      const answer = await register(caller(), wanted)
      await deleteQueue(caller(), { queue_id: answer.queue_id })
      Object.assign(state, laterOf(answer))
    },
    async verify(message) {
      await follower.catchUp()
      const fresh = await registered(caller(), options)
      await deleteQueue(caller(), { queue_id: fresh.queue_id })
      // Messages that moved to where the user can't see them cause no deletion event.
      if (await isGone(caller(), state.max_message_id)) state.deleted_messages.push(state.max_message_id)
      assertSameState(state, fresh, message)
      await attachments.verify(caller(), message)
    },
    leave: async () => void (await deleteQueue(caller(), { queue_id })),
  }
  return follower
}

/** Registers for everything. */
async function registered(caller: Caller, options: RegisterOptions): Promise<ClientState> {
  // A registration for all parts has all members. Members for older clients are missing and never read.
  const answer = (await register(caller, options)) as Required<Awaited<ReturnType<typeof register>>>
  return {
    ...answer,
    with_subscribers: options.include_subscribers === true,
    with_all_users: options.client_capabilities?.user_list_incomplete !== true,
    deleted_messages: [],
  }
}

/**
 * Runs `act`, and requires that its events tell these users' clients everything: the state before, with the events
 * applied, equals the state after. Returns the events, each user's in order.
 * @example
 * await verifyEvents([iago, hamlet], () => iago.says('hello'))
 */
export async function verifyEvents(
  people: readonly Caller[],
  act: () => Promise<unknown>,
  options: RegisterOptions = {},
): Promise<ChatEvent[][]> {
  const followers: Follower[] = []
  for (const person of people) followers.push(await follow(() => person, options))
  await act()
  for (const [i, follower] of followers.entries()) {
    await follower.verify(`events of ${people[i]!.user.full_name}`)
    await follower.leave()
  }
  return followers.map((follower) => [...follower.events])
}

/** Returns the events of one type, typed as such. */
export const ofType = <E extends { type: string }, T extends E['type']>(events: readonly E[], type: T) =>
  events.filter((event): event is Extract<E, { type: T }> => event.type === type)

async function isGone({ db }: Caller, message_id: number): Promise<boolean> {
  const there = await db.selectFrom('message').select('id').where('id', '=', message_id).executeTakeFirst()
  return message_id !== -1 && there === undefined
}

/** A client's list of the user's files, which register doesn't return. Events keep it up to date. */
interface AttachmentList {
  apply(event: ChatEvent): void
  /** Throws unless the list equals GET /attachments. */
  verify(caller: Caller, message?: string): Promise<void>
}

async function attachmentListOf(caller: Caller): Promise<AttachmentList> {
  const load = async (who: Caller) => (await listAttachments(who)).attachments
  const known = new Map<number, AttachmentView>((await load(caller)).map((one) => [one.id, one]))
  return {
    apply(event) {
      if (event.type !== 'attachment') return
      if (event.op === 'remove') known.delete(event.attachment.id)
      else known.set(event.attachment.id, event.attachment)
    },
    async verify(who, message) {
      const byId = [...known.values()].sort((a, b) => a.id - b.id)
      assert.deepEqual(byId, await load(who), message && `${message}: attachments`)
    },
  }
}
