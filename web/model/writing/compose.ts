import { computed, signal } from '@preact/signals'
import { texts } from '../../texts/texts.ts'
import { type Conversation, conversationKey, streamName } from '../reading/conversations.ts'
import type { FeedView } from '../reading/feed-view.ts'
import { goToNarrow } from '../state/route.ts'
import { perSession, type Session } from '../state/session.ts'
import { draftsOf } from './drafts.ts'
import { noteChannel } from './last-channel.ts'
import { movedTo } from './moved.ts'
import { whyNotInTopic, whyNotWrite } from './rights.ts'
import { awaitsFile } from './uploads.ts'
import { writtenTexts } from './written.ts'

/** A quote with its author and a link, as "Quote and reply" writes it, right after another or at the beginning. */
const QUOTE = /@_\*\*([^\n]+?)\*\* \[[^\]\n]+\]\((\S+?)\):\n(`{3,})quote\n([\s\S]*?)\n\3(?:\n+|$)/gy

/** Within so many characters of the limit it is said how many are left. */
const NEAR_LIMIT = 500

/** What the composer of an account shows. */
export const composerOf = perSession((session) => {
  const started = writtenTexts(session)
  /** The key of the text that the composer has. */
  const open = signal<string | undefined>(undefined)
  const written = computed(() => (open.value === undefined ? undefined : started.get(open.value)))
  const content = computed(() => written.value?.text ?? '')
  /** The text whose quotes are edited as Markdown. */
  const editsQuotes = signal<string | undefined>(undefined)
  /** The quotes that the text begins with. The composer shows them as cards. */
  const quotes = computed(() => (editsQuotes.value === open.value ? [] : [...content.value.matchAll(QUOTE)]))
  addEventListener('pagehide', () => {
    leave(session)
    draftsOf(session).flush()
  })
  return {
    open,
    editsQuotes,
    content,
    quotes,
    /** Where the composer's message goes. A topic or users may still be missing. */
    target: computed(() => written.value?.conversation),
    /** The Markdown of these quotes. Drafts have no line break at their ends. */
    quoteText: computed(() =>
      quotes.value
        .map(([quote]) => quote)
        .join('')
        .replace(/`$/, '$&\n'),
    ),
    /** Whether the composer shows recipients, because they aren't the conversation on the page. */
    choosing: signal(false),
    /** Incremented to request focus: the recipient field when `choosing`, otherwise the text. */
    focusRequests: signal(0),
    /** Why the message can't be sent yet, as a sentence; empty if it can. */
    obstacle: computed((): string => whyNotSend(session, content.value)),
    /** How many more characters the message may have, where they are few; below 0 where there are too many. */
    roomLeft: computed((): number | undefined => {
      const left = session.state.max_message_length - content.value.length
      return left <= NEAR_LIMIT ? left : undefined
    }),
    /** Whether there is a box on the page. */
    isOpen: false,
    /** What the next box is opened for. */
    pending: undefined as Conversation | undefined,
  }
})

const keyOf = (conversation: Conversation | undefined): string => (conversation ? conversationKey(conversation) : '')

/** Shows the Markdown of the quotes in the message field. */
export const editQuotes = (session: Session): void => {
  const { editsQuotes, open } = composerOf(session)
  editsQuotes.value = open.value
}

/** Moves the composer to a feed: its conversation becomes the recipient, with the text that was started there. */
export function composeIn(session: Session, { conversation, narrow }: FeedView): void {
  const composer = composerOf(session)
  const { pending } = composer
  composer.isOpen = true
  if (pending) {
    begin(session, pending, true)
    composer.pending = undefined
    composer.focusRequests.value += 1
    return
  }
  const [first] = narrow
  const stream_id = first?.operator === 'channel' && narrow.length === 1 ? Number(first.operand) : undefined
  const isKnown = stream_id !== undefined && streamName(session.state, stream_id) !== undefined
  const fresh: Conversation | undefined =
    conversation ?? (isKnown ? { type: 'stream', stream_id, topic: '' } : undefined)
  begin(session, fresh, conversation === undefined && fresh !== undefined)
}

/** Call it when the page shows no feed, and therefore no composer. */
export function closeCompose(session: Session): void {
  leave(session)
  const composer = composerOf(session)
  composer.isOpen = false
  composer.open.value = undefined
}

/**
 * Opens the composer for a conversation, which may not be the one on the page; without a composer, in a feed that has
 * one.
 */
export function composeTo(session: Session, conversation: Conversation): void {
  const composer = composerOf(session)
  if (!composer.isOpen) {
    composer.pending = conversation
    goToNarrow(
      conversation.type === 'direct'
        ? [{ operator: 'is', operand: 'dm' }]
        : [{ operator: 'channel', operand: conversation.stream_id }],
    )
    return
  }
  if (keyOf(composer.target.value) !== keyOf(conversation)) begin(session, conversation, true)
  composer.focusRequests.value += 1
}

function begin(session: Session, conversation: Conversation | undefined, choose: boolean): void {
  leave(session)
  const { choosing, open } = composerOf(session)
  choosing.value = choose
  open.value = conversation && draftsOf(session).at(conversation).key
}

/** Leaves the composer and keeps its text. */
export function leave(session: Session): void {
  const key = composerOf(session).open.peek()
  if (key !== undefined) draftsOf(session).save(key)
}

/** Sets the text, which becomes a draft when typing stops. */
export function write(session: Session, text: string): void {
  const key = composerOf(session).open.peek()
  if (key !== undefined) draftsOf(session).write(key, text)
}

/** Returns a function that empties the text that the composer has now, because it was sent, unless it changes. */
export function emptying(session: Session): () => void {
  const { content, open } = composerOf(session)
  const sent = content.peek()
  const key = open.peek()
  return () => {
    if (key === undefined || writtenTexts(session).get(key)?.text !== sent) return
    draftsOf(session).write(key, '')
    draftsOf(session).save(key)
  }
}

/** Other recipients for the same text. */
export function retarget(session: Session, conversation: Conversation): void {
  const { open, target } = composerOf(session)
  const key = open.peek()
  if (key !== undefined && keyOf(target.peek()) !== keyOf(conversation)) draftsOf(session).readdress(key, conversation)
}

/** Puts a text before the draft of a conversation, in the composer if that is open. */
export function addText(session: Session, conversation: Conversation, text: string): void {
  const { key, text: written } = draftsOf(session).at(conversation)
  draftsOf(session).write(key, written.trim() === '' ? text : `${text}\n\n${written}`)
  draftsOf(session).save(key)
}

/** Puts a text back into the box, before what is there. */
export function restore(session: Session, text: string): void {
  const { content, editsQuotes, focusRequests } = composerOf(session)
  editsQuotes.value = undefined
  write(session, content.value.trim() === '' ? text : `${text}\n\n${content.value}`)
  focusRequests.value += 1
}

/** Why this text can't be sent to the composer's recipients, as a sentence; empty if it can. */
export function whyNotSend(session: Session, text: string): string {
  const to = composerOf(session).target.value
  if (!to) return texts.compose.chooseRecipient
  if (to.type === 'direct' && to.user_ids.length === 0) return texts.compose.chooseRecipients
  const unsuited = to.type === 'stream' ? whyNotInTopic(session, to) : ''
  if (unsuited) return unsuited
  if (text.trim() === '') return texts.compose.nothingToSend
  if (awaitsFile(session, text)) return texts.compose.stillUploading
  if (movedTo(session, to)) return texts.compose.conversationMoved
  const refused = whyNotWrite(session, to)
  if (refused) return refused
  const limit = session.state.max_message_length
  return text.length > limit ? texts.compose.tooLong(limit) : ''
}

/** Sends the message. Returns its destination, or nothing if something is missing. */
export function send(session: Session): Conversation | undefined {
  const empty = emptying(session)
  const to = sendText(session, composerOf(session).content.value)
  if (to) empty()
  return to
}

/** Sends a text to the composer's recipients. The composer's own text stays. */
export function sendText(session: Session, text: string): Conversation | undefined {
  const chosen = composerOf(session).target.value
  if (!chosen || whyNotSend(session, text) !== '') return undefined
  // The server takes spaces away from the ends of topics.
  const to = chosen.type === 'stream' ? { ...chosen, topic: chosen.topic.trim() } : chosen
  if (to.type === 'stream') noteChannel(to.stream_id)
  if (to.type === 'stream') session.outbox.send({ type: 'stream', to: to.stream_id, topic: to.topic, content: text })
  else session.outbox.send({ type: 'direct', to: [...to.user_ids], content: text })
  return to
}
