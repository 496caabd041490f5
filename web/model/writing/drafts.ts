import { type ClientState, isChatError, isRefused, newId } from '../../../src/client/index.ts'
import { type Conversation, conversationKey, othersOf } from '../reading/conversations.ts'
import { perSession } from '../state/session.ts'
import { withoutMarks } from './uploads.ts'
import { isSettled, type Written, writtenTexts } from './written.ts'

export type Draft = ClientState['drafts'][number]

/** A draft is saved after this long without a keystroke. */
const QUIET_MS = 1000

export interface Drafts {
  /** Returns the text of a conversation: the one that was written or opened last, or an empty one. */
  at(conversation: Conversation): Written
  /** Changes a text, which is saved when typing stops. */
  write(key: string, text: string): void
  /** Saves a text now. */
  save(key: string): void
  /** Moves a text to other recipients. Other texts for them stay. */
  readdress(key: string, conversation: Conversation): void
  /** Replaces a part of a text, wherever it is. */
  replace(before: string, after: string): void
  /** Has its conversation show this text. */
  raise(key: string): void
  /** Has its conversation show the text of a server's draft. */
  open(draft: Draft): void
  /** The texts that were started and not sent. Readers update when one changes. */
  started(): Written[]
  flush(): void
}

/** Messages that were started, each with the server's draft of it. */
export const draftsOf = perSession((session): Drafts => {
  const texts = writtenTexts(session)
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const messages = () => texts.all().filter(({ edit }) => !edit)
  const change = (key: string, changes: Partial<Written>): Written => texts.put({ ...texts.get(key)!, ...changes })

  const placeOf = (draft: Draft) => conversationKey(draftConversation(draft, session.state.user_id))
  const liveDraft = (id: number | undefined) => session.state.drafts.find((one) => one.id === id)
  /** The newest draft of a conversation that belongs to no text here. */
  function unownedDraft(place: string): Draft | undefined {
    const owned = new Set(messages().flatMap(({ draft, state }) => [draft, state.name === 'answered' && state.gone]))
    return session.state.drafts
      .filter((draft) => !owned.has(draft.id) && placeOf(draft) === place)
      .sort((a, b) => b.timestamp - a.timestamp)[0]
  }
  /** Whether the live state has a draft as the text is, or none where the text is empty. */
  function isLive({ text, conversation, draft, state }: Written): boolean {
    const live = liveDraft(state.name === 'answered' ? (state.gone ?? draft) : draft)
    if (text.trim() === '') return !live
    return live !== undefined && isSame(live.content, text) && placeOf(live) === conversationKey(conversation)
  }
  /** Shows the change of another device in a text to which nothing was done here. */
  function follow(written: Written): Written {
    if (written.state.name !== 'saved') return written
    const place = conversationKey(written.conversation)
    const own = liveDraft(written.draft)
    const live = own && placeOf(own) === place ? own : unownedDraft(place)
    const text = live?.content ?? ''
    if (isSame(text, written.text) && live?.id === written.draft) return written
    return change(written.key, { draft: live?.id, text: isSame(text, written.text) ? written.text : text })
  }
  const settle = (written: Written): void => {
    texts.keep(texts.put({ ...written, state: { name: 'saved' }, asked: undefined }))
  }
  function begin(conversation: Conversation, draft?: Draft): Written {
    const written = { key: `draft ${newId()}`, conversation, text: draft?.content ?? '', draft: draft?.id }
    return texts.put({ ...written, at: texts.next(), state: { name: 'saved' } })
  }
  const raise = (key: string) => change(key, { at: texts.next() })
  /** Gives a text a change, which the next save takes to the server. */
  function rewrite(key: string, changes: Partial<Written>): void {
    const { state } = texts.get(key)!
    const isSaving = state.name === 'saving'
    const written = change(key, { ...changes, ...(!isSaving && { state: { name: 'writing' } }) })
    if (!isSaving && hasNothing(written)) settle(written)
  }

  function save(key: string): void {
    clearTimeout(timers.get(key))
    timers.delete(key)
    const written = texts.get(key)!
    if (isSettled(written)) return
    texts.keep(written)
    // What is new is saved after the answer.
    if (written.state.name !== 'saving') void send(written)
  }
  function saveSoon(key: string): void {
    clearTimeout(timers.get(key))
    timers.set(
      key,
      setTimeout(() => save(key), QUIET_MS),
    )
  }
  /** Whether the server takes it: it rejects a long draft as it would the message. */
  function isForServer({ text, asked }: Written): boolean {
    const { user_settings, max_message_length } = session.state
    return asked !== undefined || (user_settings.enable_drafts_synchronization && text.length <= max_message_length)
  }
  async function send({ key, text, conversation, draft: before }: Written): Promise<void> {
    const sent = withoutMarks(session, text)
    if (!isForServer(texts.get(key)!)) {
      change(key, { state: { name: 'kept' } })
      return
    }
    change(key, { state: { name: 'saving', sent } })
    try {
      const draft = await store(key, sent)
      const now = change(key, { draft, asked: undefined, state: { name: 'writing' } })
      if (withoutMarks(session, now.text) !== sent || now.conversation !== conversation) {
        if (!timers.has(key)) save(key)
        return
      }
      const answered = change(key, { state: { name: 'answered', gone: draft === undefined ? before : undefined } })
      texts.keep(answered)
      if (isLive(answered)) settle(answered)
    } catch {
      change(key, { state: { name: 'kept' } })
    }
  }
  /** Brings the server's draft to this text. Returns the id of the draft, or nothing for an empty text. */
  async function store(key: string, text: string): Promise<number | undefined> {
    const { client } = session
    const { asked, conversation } = texts.get(key)!
    if (asked) await create(key, asked)
    const { draft: id } = texts.get(key)!
    if (text.trim() === '') {
      if (id !== undefined) await client.deleteDraft({ draft_id: id }).catch(isGone)
      return undefined
    }
    const draft = { ...recipientOf(conversation), content: text, timestamp: Math.floor(Date.now() / 1000) }
    if (id !== undefined && (await client.updateDraft({ draft_id: id, draft }).then(() => true, isGone))) return id
    return create(key, { key: newId(), draft })
  }
  async function create(key: string, asked: NonNullable<Written['asked']>): Promise<number | undefined> {
    texts.keep(change(key, { asked }))
    try {
      const drafts = [asked.draft as ReturnType<typeof recipientOf> & { content: string; timestamp: number }]
      const [draft] = (await session.client.createDrafts({ drafts }, { idempotencyKey: asked.key })).ids
      change(key, { draft, asked: undefined })
      return draft
    } catch (error) {
      if (isRefused(error)) change(key, { asked: undefined })
      throw error
    }
  }

  /** Compares the texts with the live state, which no older events follow if it `isNew`. */
  function compare(isNew: boolean): void {
    for (const written of messages()) {
      const { state, asked, conversation, text } = written
      const isUnknown = isNew && !isSettled(written) && written.draft === undefined && text.trim() !== ''
      const same = isUnknown ? unownedDraft(conversationKey(conversation)) : undefined
      // The page before this one saved it while it closed, or the response was lost.
      if (same && isSame(same.content, text)) settle({ ...written, draft: same.id })
      else if (
        state.name === 'answered' ? isNew || isLive(written) : state.name === 'kept' && !asked && isLive(written)
      )
        settle(written)
    }
    for (const written of messages()) follow(written)
  }
  const saveKept = () => {
    for (const { key, state } of messages()) if (state.name === 'kept') save(key)
  }
  session.live.onChange((change) => {
    // A stored state may be older than the texts.
    if (change.type === 'registered' && session.cachedAt.peek() === undefined) compare(true)
    if (change.type === 'event' && change.event.type === 'drafts') compare(false)
    if (change.type === 'connection' && change.connection.status === 'online') saveKept()
  })
  if (session.connection.peek().status === 'online') {
    compare(true)
    saveKept()
  }

  return {
    at(conversation) {
      const place = conversationKey(conversation)
      const here = messages()
        .filter((one) => conversationKey(one.conversation) === place)
        .sort((a, b) => b.at - a.at)
      const found = here.find(({ text }) => text !== '') ?? here.find((one) => !isSettled(one)) ?? here[0]
      // An empty text may wait for the deletion of its draft, which the live state still has.
      return found ? follow(found) : begin(conversation, unownedDraft(place))
    },
    write(key, text) {
      rewrite(key, { text })
      saveSoon(key)
    },
    save,
    readdress(key, conversation) {
      rewrite(key, { conversation, at: texts.next() })
      saveSoon(key)
    },
    replace(before, after) {
      for (const { key, text } of messages()) {
        if (!text.includes(before)) continue
        rewrite(key, { text: text.replace(before, () => after) })
        save(key)
      }
    },
    raise,
    open(draft) {
      const own = messages().find((one) => one.draft === draft.id)
      if (own) raise(own.key)
      else begin(draftConversation(draft, session.state.user_id), draft)
    },
    started: () => messages().filter(({ text }) => text.trim() !== ''),
    flush() {
      for (const key of timers.keys()) save(key)
    },
  }
})

/** The server takes spaces away from the ends of a draft; in the composer the next word may be typed after them. */
const isSame = (saved: string, text: string): boolean => saved.trim() === text.trim()

/** Whether there is nothing to save, or to delete. */
const hasNothing = ({ text, draft, asked }: Written): boolean => text.trim() === '' && draft === undefined && !asked

/**
 * For objects that were deleted already: by another window, such as a draft, or by a request whose response was lost.
 */
export function isGone(error: unknown): false {
  if (isChatError(error) && error.kind === 'path') return false
  throw error
}

const recipientOf = (conversation: Conversation) =>
  conversation.type === 'stream'
    ? { type: 'stream' as const, to: [conversation.stream_id], topic: conversation.topic }
    : { type: 'private' as const, to: [...conversation.user_ids], topic: '' }

/** The conversation of a draft; a direct one without people where it is for nobody yet. */
export function draftConversation({ type, to, topic }: Draft, own: number): Conversation {
  if (to[0] === undefined) return { type: 'direct', user_ids: [] }
  return type === 'stream' ? { type, stream_id: to[0], topic } : { type: 'direct', user_ids: othersOf(to, own) }
}
