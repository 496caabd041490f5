import type { ClientState } from '../../../src/client/index.ts'
import { type Conversation, conversationKey, othersOf } from '../reading/conversations.ts'
import { perSession, type Session } from '../state/session.ts'

type Draft = ClientState['drafts'][number]

/** A draft is saved after this long without a keystroke. */
const QUIET_MS = 1000

export interface Drafts {
  /** What was begun in a conversation. */
  textOf(conversation: Conversation): string
  /** It has changed, and is saved once nothing more is typed. */
  typed(conversation: Conversation, text: string): void
  /** Saves it now. */
  keep(conversation: Conversation, text: string): void
  /** It is for somebody else. */
  move(from: Conversation, to: Conversation): void
  /** It was sent. */
  forget(conversation: Conversation): void
  /** The text after another device has changed the draft; undefined where the box goes on as it is. */
  afterEvent(conversation: Conversation, text: string): string | undefined
  flush(): void
}

interface Entry {
  conversation: Conversation
  text: string
  /** What the server has. */
  saved: string
  id: number | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  saving: Promise<void>
}

/** Texts that were begun, each with the server's draft of it. */
export const draftsOf = perSession((session): Drafts => {
  const entries = new Map<string, Entry>()

  function entryOf(conversation: Conversation): Entry {
    const key = conversationKey(conversation)
    const known = entries.get(key)
    if (known) return known
    const draft = newestDraft(session, key)
    const text = draft?.content ?? ''
    const entry: Entry = { conversation, text, saved: text, id: draft?.id, timer: undefined, saving: Promise.resolve() }
    entries.set(key, entry)
    return entry
  }
  function save(entry: Entry): void {
    clearTimeout(entry.timer)
    entry.timer = undefined
    entry.saving = entry.saving.then(() => store(session, entry)).catch(() => {})
  }
  const change = (conversation: Conversation, text: string): Entry => {
    const entry = entryOf(conversation)
    entry.text = text
    return entry
  }
  return {
    textOf: (conversation) => entryOf(conversation).text,
    typed(conversation, text) {
      const entry = change(conversation, text)
      clearTimeout(entry.timer)
      entry.timer = setTimeout(() => save(entry), QUIET_MS)
    },
    keep(conversation, text) {
      const entry = change(conversation, text)
      if (entry.text !== entry.saved) save(entry)
    },
    move(from, to) {
      const entry = entryOf(from)
      entries.delete(conversationKey(from))
      entry.conversation = to
      entries.set(conversationKey(to), entry)
    },
    forget(conversation) {
      save(change(conversation, ''))
    },
    afterEvent(conversation, text) {
      const entry = entryOf(conversation)
      const draft =
        session.state.drafts.find(({ id }) => id === entry.id) ?? newestDraft(session, conversationKey(conversation))
      const now = draft?.content ?? ''
      if (text !== entry.saved || now === text) return undefined
      Object.assign(entry, { id: draft?.id, saved: now, text: now })
      return now
    },
    flush() {
      for (const entry of entries.values()) if (entry.timer !== undefined) save(entry)
    },
  }
})

async function store({ client, state }: Session, entry: Entry): Promise<void> {
  const { text, id, conversation } = entry
  if (text === entry.saved || !state.user_settings.enable_drafts_synchronization) return
  if (text.trim() === '') {
    if (id !== undefined) await client.deleteDraft({ draft_id: id })
    entry.id = undefined
  } else {
    const draft = { ...recipientOf(conversation), content: text, timestamp: Math.floor(Date.now() / 1000) }
    if (id !== undefined) await client.updateDraft({ draft_id: id, draft })
    else entry.id = (await client.createDrafts({ drafts: [draft] })).ids[0]
  }
  entry.saved = text
}

const recipientOf = (conversation: Conversation) =>
  conversation.type === 'stream'
    ? { type: 'stream' as const, to: [conversation.stream_id], topic: conversation.topic }
    : { type: 'private' as const, to: [...conversation.user_ids], topic: '' }

/** The conversation of a draft; undefined while it has none. */
export function draftConversation({ type, to, topic }: Draft, own: number): Conversation | undefined {
  if (type === 'stream') return to[0] === undefined ? undefined : { type, stream_id: to[0], topic }
  return type === 'private' && to.length > 0 ? { type: 'direct', user_ids: othersOf(to, own) } : undefined
}

function newestDraft({ state }: Session, key: string): Draft | undefined {
  const isIt = (draft: Draft) => {
    const conversation = draftConversation(draft, state.user_id)
    return conversation !== undefined && conversationKey(conversation) === key
  }
  return state.drafts.filter(isIt).sort((a, b) => b.timestamp - a.timestamp)[0]
}
