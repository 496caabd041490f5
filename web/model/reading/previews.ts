import { batch, type Signal, signal } from '@preact/signals'
import type { Message } from '../../../src/client/index.ts'
import { perSession, type Session } from '../state/session.ts'
import { plainText } from './excerpt.ts'

/** The beginning of a message, for lists of conversations. */
export interface Preview {
  sender_id: number
  sender_full_name: string
  timestamp: number
  text: string
}

const LONGEST = 200
/** Rows that are drawn within this time ask for their messages together. */
const TOGETHER_MS = 30
const AT_ONCE = 100

interface Previews {
  known: Map<number, Signal<Preview | undefined>>
  wanted: Set<number>
}

/** Previews by message id. A changed message gets a new one. */
const previewsIn = perSession((session): Previews => {
  const known = new Map<number, Signal<Preview | undefined>>()
  const wanted = new Set<number>()
  session.messages.onChange(({ messages }) => {
    for (const id of messages) {
      const message = session.messages.get(id)
      const preview = known.get(id)
      if (message && preview) preview.value = previewFrom(message)
    }
  })
  // Most messages are known only by their previews.
  session.live.onChange((change) => {
    if (change.type !== 'event' || change.event.type !== 'update_message') return
    const { message_id, rendered_content } = change.event
    const preview = known.get(message_id)
    if (!preview || rendered_content === undefined || session.messages.get(message_id)) return
    if (preview.value) preview.value = { ...preview.value, text: beginningOf(rendered_content) }
    // The answer on its way may be older.
    else want(session, wanted, message_id)
  })
  return { known, wanted }
})

/** The beginning of a message. Undefined until it has been fetched, which the call requests, and for a deleted one. */
export function previewOf(session: Session, id: number): Preview | undefined {
  const { known, wanted } = previewsIn(session)
  const there = known.get(id)
  if (there) return there.value
  const message = session.messages.get(id)
  const fresh = signal(message && previewFrom(message))
  known.set(id, fresh)
  if (!message) want(session, wanted, id)
  return fresh.value
}

function want(session: Session, wanted: Set<number>, id: number): void {
  if (wanted.size === 0) setTimeout(() => void fetchWanted(session), TOGETHER_MS)
  wanted.add(id)
}

async function fetchWanted(session: Session): Promise<void> {
  const { known, wanted } = previewsIn(session)
  const ids = [...wanted]
  wanted.clear()
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const asked = ids.slice(from, from + AT_ONCE)
    try {
      const { messages } = await session.client.getMessages({
        message_ids: asked,
        allow_empty_topic_name: true,
        client_gravatar: true,
      })
      batch(() => {
        for (const message of messages) {
          const preview = known.get(message.id)
          if (preview) preview.value = previewFrom(message)
        }
      })
    } catch {
      // Requested again when the rows are drawn again.
      for (const id of asked) known.delete(id)
    }
  }
}

const previewFrom = ({ sender_id, sender_full_name, timestamp, content, submessages }: Message): Preview => ({
  sender_id,
  sender_full_name,
  timestamp,
  // Polls and to-do lists begin with the command that made them.
  text: beginningOf(content).replace(submessages.length > 0 ? /^\/\w+ / : '', ''),
})

const beginningOf = (html: string): string => plainText(html).replace(/\s+/g, ' ').slice(0, LONGEST)
