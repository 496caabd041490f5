import { signal } from '@preact/signals'
import type { Message } from '../../../src/client/index.ts'
import { perSession, type Session } from '../state/session.ts'

type Answer = Awaited<ReturnType<Session['client']['listPinnedMessages']>>
export type Pin = Answer['pinned_messages'][number]

/** The pinned messages of the channels that were opened, by the channel's ID. */
export const knownPins = perSession(() => signal<ReadonlyMap<number, readonly Pin[]>>(new Map()))

/** Whether a message is known to be pinned. */
export const isPinned = (session: Session, message: Message): boolean =>
  message.type === 'stream' &&
  knownPins(session)
    .value.get(message.stream_id)
    ?.some(({ message_id }) => message_id === message.id) === true
