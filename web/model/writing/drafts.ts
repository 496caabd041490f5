import { type ClientState, isChatError, isRefused, newId } from '../../../src/client/index.ts'
import { type StoredText, storedTexts, storeText } from '../persistence/stored-texts.ts'
import { type Conversation, conversationKey, othersOf } from '../reading/conversations.ts'
import { perSession } from '../state/session.ts'
import { withoutMarks } from './uploads.ts'

type Draft = ClientState['drafts'][number]

/** A draft is saved after this long without a keystroke. */
const QUIET_MS = 1000

export interface Drafts {
  /** Returns the text that was started in a conversation. */
  textOf(conversation: Conversation): string
  /** Records a changed text, which is saved when typing stops. */
  typed(conversation: Conversation, text: string): void
  /** Saves it now. */
  keep(conversation: Conversation, text: string): void
  /** Moves the text to other recipients. A text that was started there returns when this one moves on. */
  move(from: Conversation, to: Conversation): void
  /** Replaces a part of a text that no one is editing, wherever it is. */
  replace(before: string, after: string): void
  /** It was sent. */
  forget(conversation: Conversation): void
  /** Returns the text after a change by another device or a newer state; undefined if the composer's text stays. */
  afterChange(conversation: Conversation, text: string): string | undefined
  flush(): void
  /** Returns the texts that the server doesn't have yet. */
  unsaved(): ReadonlyMap<string, StoredText>
}

interface Entry {
  conversation: Conversation
  text: string
  /** What the server has here; undefined where it has the draft at the place from which the text came, or may have it. */
  saved: string | undefined
  id: number | undefined
  /** The draft that the server was asked to create, until it answers: asked again it is the same request, as the answer may have been lost. */
  creating: { draft: NewDraft; key: string } | undefined
  /** Whether no other text continues its draft, which the state may have elsewhere or another text may cover. */
  ownsDraft: boolean
  /** The text that was started here before this one came from elsewhere. It returns when this one moves on. */
  covered: Entry | undefined
  /** What was saved last, until its event comes. */
  awaited: string | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  saving: Promise<void>
}

/** Texts that were begun, each with the server's draft of it. */
export const draftsOf = perSession((session): Drafts => {
  const entries = new Map<string, Entry>()
  const all = () => [...entries.values()].flatMap(withCovered)

  function newestDraft(key: string): Draft | undefined {
    const owned = new Set(all().flatMap(({ ownsDraft, id }) => (ownsDraft ? [id] : [])))
    const isIt = (draft: Draft) =>
      conversationKey(draftConversation(draft, session.state.user_id)) === key && !owned.has(draft.id)
    return session.state.drafts.filter(isIt).sort((a, b) => b.timestamp - a.timestamp)[0]
  }
  const draftOf = ({ id, conversation }: Entry): Draft | undefined =>
    session.state.drafts.find((one) => one.id === id) ?? newestDraft(conversationKey(conversation))
  const contentOf = (entry: Entry): string => draftOf(entry)?.content ?? ''

  /** Has the browser keep what the server does not have of a place. */
  function keep(conversation: Conversation): void {
    if (session.connection.peek().status === 'ended') return
    const key = conversationKey(conversation)
    const entry = entries.get(key)
    storeText(session.state.user_id, PREFIX + key, entry && keptOf(entry))
  }
  /** A text that nothing was done to here is as the state has it now. */
  function renewed(entry: Entry): Entry {
    // The event of an older text may come after the answer to a newer one.
    if (entry.awaited !== undefined || isUnsaved(entry)) return entry
    const draft = draftOf(entry)
    const now = draft?.content ?? ''
    return isSame(now, entry.text) ? entry : Object.assign(entry, { id: draft?.id, saved: now, text: now })
  }

  function entryOf(conversation: Conversation): Entry {
    const key = conversationKey(conversation)
    return entries.get(key) ?? begin(conversation, newestDraft(key))
  }
  function begin(conversation: Conversation, draft?: Draft): Entry {
    const text = draft?.content ?? ''
    const entry: Entry = {
      conversation,
      text,
      saved: text,
      id: draft?.id,
      creating: undefined,
      ownsDraft: false,
      covered: undefined,
      awaited: undefined,
      timer: undefined,
      saving: Promise.resolve(),
    }
    entries.set(conversationKey(conversation), entry)
    return entry
  }
  const change = (conversation: Conversation, text: string): Entry => {
    const entry = entryOf(conversation)
    entry.text = text
    return entry
  }
  function takeKept({ text, of, draft, covered }: StoredText): Entry {
    const below = covered && takeKept(covered)
    // The draft that the state has here is of the text that was here first.
    if (below) below.ownsDraft = true
    const entry = below ? begin(of as Conversation) : entryOf(of as Conversation)
    Object.assign(entry, { text, covered: below })
    // The state may be one that was kept before the draft was made, or had its place.
    if (draft !== undefined && draft !== entry.id)
      Object.assign(entry, { id: draft, saved: undefined, ownsDraft: true })
    return entry
  }
  for (const [key, kept] of storedTexts(session.state.user_id)) {
    // What was saved as the last page went is kept no longer.
    if (key.startsWith(PREFIX)) keep(takeKept(kept).conversation)
  }
  // Saves what couldn't be saved, once there is a connection.
  const saveUnsaved = () => {
    for (const entry of all()) if (isUnsaved(entry) && entry.timer === undefined) save(entry)
  }
  // What the page before this one saved as it went is not in the state that was kept: it would be saved a second time.
  const findSaved = () => {
    for (const entry of all()) {
      // After a new registration no event is to come.
      entry.awaited = undefined
      const draft = newestDraft(conversationKey(entry.conversation))
      if (!draft || !isSame(draft.content, entry.text)) continue
      Object.assign(entry, { id: draft.id, saved: entry.text, creating: undefined })
      keep(entry.conversation)
    }
  }
  const endAwaited = () => {
    for (const entry of all())
      if (entry.awaited !== undefined && isSame(contentOf(entry), entry.awaited)) entry.awaited = undefined
  }
  session.live.onChange((change) => {
    if (change.type === 'registered') findSaved()
    if (change.type === 'event' && change.event.type === 'drafts') endAwaited()
    if (change.type === 'connection' && change.connection.status === 'online') saveUnsaved()
  })
  if (session.connection.peek().status === 'online') saveUnsaved()
  function save(entry: Entry): void {
    clearTimeout(entry.timer)
    entry.timer = undefined
    keep(entry.conversation)
    entry.saving = entry.saving
      .then(() => store(entry))
      .catch(() => {
        entry.awaited = undefined
      })
  }
  function saveSoon(entry: Entry): void {
    clearTimeout(entry.timer)
    entry.timer = setTimeout(() => save(entry), QUIET_MS)
  }
  async function create(entry: Entry, draft: NewDraft): Promise<void> {
    entry.creating ??= { draft, key: newId() }
    entry.saved = undefined
    const { draft: asked, key } = entry.creating
    try {
      entry.id = (await session.client.createDrafts({ drafts: [asked] }, { idempotencyKey: key })).ids[0]
    } catch (error) {
      if (isRefused(error)) entry.creating = undefined
      throw error
    }
    entry.creating = undefined
  }
  async function store(entry: Entry): Promise<void> {
    const { client, state } = session
    if (entry.creating) await create(entry, entry.creating.draft)
    const { id, conversation } = entry
    const text = withoutMarks(entry.text)
    // If the user doesn't want drafts on the server, only the browser has them.
    if (text === entry.saved || !state.user_settings.enable_drafts_synchronization) return
    // The server rejects it, as it would the message. The browser keeps it.
    if (text.length > state.max_message_length) return
    entry.awaited = isSame(contentOf(entry), text) ? undefined : text
    if (text.trim() === '') {
      if (id !== undefined) await client.deleteDraft({ draft_id: id }).catch(isGone)
      entry.id = undefined
    } else {
      const draft = { ...recipientOf(conversation), content: text, timestamp: Math.floor(Date.now() / 1000) }
      const isThere = id !== undefined && (await client.updateDraft({ draft_id: id, draft }).then(() => true, isGone))
      if (!isThere) await create(entry, draft)
    }
    const isHere = entry.conversation === conversation
    if (!isHere) entry.ownsDraft = true
    entry.saved = isHere || entry.id === undefined ? text : undefined
    keep(entry.conversation)
  }
  /** The text that another one covers is here again. */
  function uncover({ conversation, covered }: Entry): void {
    if (!covered) return
    entries.set(conversationKey(conversation), covered)
    save(covered)
  }
  return {
    textOf(conversation) {
      const entry = entryOf(conversation)
      // Below the other one it is still deleted from the server, where it could not be so far.
      if (entry.text === '' && entry.covered) {
        const { covered } = entry
        uncover(entry)
        entry.covered = covered.covered
        covered.covered = entry
      }
      return renewed(entryOf(conversation)).text
    },
    typed: (conversation, text) => saveSoon(change(conversation, text)),
    keep(conversation, text) {
      const entry = change(conversation, text)
      if (isUnsaved(entry)) save(entry)
    },
    move(from, to) {
      const entry = entryOf(from)
      entries.delete(conversationKey(from))
      uncover(entry)
      keep(from)
      entry.covered = undefined
      entry.conversation = to
      const there = entries.get(conversationKey(to))
      if (there && (there.text !== '' || isUnsaved(there))) {
        there.ownsDraft = true
        entry.covered = there
      }
      entries.set(conversationKey(to), entry)
      if (entry.id !== undefined || entry.creating) Object.assign(entry, { saved: undefined, ownsDraft: true })
      if (isUnsaved(entry)) saveSoon(entry)
    },
    replace(before, after) {
      for (const entry of all()) {
        if (!entry.text.includes(before)) continue
        entry.text = entry.text.replace(before, () => after)
        save(entry)
      }
    },
    forget(conversation) {
      save(change(conversation, ''))
    },
    afterChange(conversation, text) {
      const entry = entryOf(conversation)
      if (text !== entry.saved) return undefined
      const now = renewed(entry).text
      return now === text ? undefined : now
    },
    flush() {
      for (const entry of all()) if (entry.timer !== undefined) save(entry)
    },
    unsaved: () =>
      new Map(
        [...entries].flatMap(([key, entry]) => {
          const kept = keptOf(entry)
          return kept ? [[PREFIX + key, kept] as const] : []
        }),
      ),
  }
})

/** The server takes spaces away from the ends of a draft; in the box the next word may be typed after them. */
const isSame = (saved: string, text: string): boolean => saved.trim() === text.trim()

/**
 * For objects that were deleted already: by another window, such as a draft, or by a request whose response was lost.
 */
export function isGone(error: unknown): false {
  if (isChatError(error) && error.kind === 'path') return false
  throw error
}

const PREFIX = 'draft '

const isUnsaved = ({ text, saved }: Entry): boolean => text !== saved
/** What a text covers, and last the text itself. */
const withCovered = (entry: Entry): Entry[] => (entry.covered ? [...withCovered(entry.covered), entry] : [entry])

/** The part of a text, and of the texts it covers, that the server doesn't have. */
const keptOf = (entry: Entry): StoredText | undefined =>
  withCovered(entry)
    .filter(isUnsaved)
    .reduce<StoredText | undefined>(
      (covered, { text, conversation, id }) => ({ text: withoutMarks(text), of: conversation, draft: id, covered }),
      undefined,
    )

type NewDraft = ReturnType<typeof recipientOf> & { content: string; timestamp: number }
const recipientOf = (conversation: Conversation) =>
  conversation.type === 'stream'
    ? { type: 'stream' as const, to: [conversation.stream_id], topic: conversation.topic }
    : { type: 'private' as const, to: [...conversation.user_ids], topic: '' }

/** The conversation of a draft; a direct one without people where it is for nobody yet. */
export function draftConversation({ type, to, topic }: Draft, own: number): Conversation {
  if (to[0] === undefined) return { type: 'direct', user_ids: [] }
  return type === 'stream' ? { type, stream_id: to[0], topic } : { type: 'direct', user_ids: othersOf(to, own) }
}
