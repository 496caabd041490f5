import { computed, signal } from '@preact/signals'
import { texts } from '../../texts/texts.ts'
import { type Conversation, conversationKey, streamName } from '../reading/conversations.ts'
import type { FeedView } from '../reading/feed-view.ts'
import { goToNarrow } from '../state/route.ts'
import type { Session } from '../state/session.ts'
import { type Drafts, draftsOf } from './drafts.ts'
import { noteChannel } from './last-channel.ts'
import { movedTo } from './moved.ts'
import { whyNotInTopic, whyNotWrite } from './rights.ts'
import { awaitsFile } from './uploads.ts'
import { writtenTexts } from './written.ts'

/** The text that the composer has. */
const open = signal<{ session: Session; key: string } | undefined>(undefined)
const written = computed(() => open.value && writtenTexts(open.value.session).get(open.value.key))

/** Where the composer's message goes. A topic or users may still be missing. */
export const target = computed(() => written.value?.conversation)
export const content = computed(() => written.value?.text ?? '')
/** A quote with its author and a link, as "Quote and reply" writes it, right after another or at the beginning. */
const QUOTE = /@_\*\*([^\n]+?)\*\* \[[^\]\n]+\]\((\S+?)\):\n(`{3,})quote\n([\s\S]*?)\n\3(?:\n+|$)/gy
/** The text whose quotes are edited as Markdown. */
const editsQuotes = signal<string | undefined>(undefined)
/** The quotes that the text begins with. The composer shows them as cards. */
export const quotes = computed(() => (editsQuotes.value === open.value?.key ? [] : [...content.value.matchAll(QUOTE)]))
/** The Markdown of these quotes. Drafts have no line break at their ends. */
export const quoteText = computed(() =>
  quotes.value
    .map(([quote]) => quote)
    .join('')
    .replace(/`$/, '$&\n'),
)
/** Shows the Markdown of the quotes in the message field. */
export const editQuotes = (): void => {
  editsQuotes.value = open.value?.key
}
/** Whether the composer shows recipients, because they aren't the conversation on the page. */
export const choosing = signal(false)
/** Incremented to request focus: the recipient field when `choosing`, otherwise the text. */
export const focusRequests = signal(0)

/** Whether there is a box on the page. */
let isOpen = false
/** What the next box is opened for. */
let pending: Conversation | undefined

const keyOf = (conversation: Conversation | undefined): string => (conversation ? conversationKey(conversation) : '')

/** Moves the composer to a feed: its conversation becomes the recipient, with the text that was started there. */
export function composeIn(next: Session, { conversation, narrow }: FeedView): void {
  isOpen = true
  if (pending) {
    begin(next, pending, true)
    pending = undefined
    focusRequests.value += 1
    return
  }
  const [first] = narrow
  const stream_id = first?.operator === 'channel' && narrow.length === 1 ? Number(first.operand) : undefined
  const isKnown = stream_id !== undefined && streamName(next.state, stream_id) !== undefined
  const fresh: Conversation | undefined =
    conversation ?? (isKnown ? { type: 'stream', stream_id, topic: '' } : undefined)
  begin(next, fresh, conversation === undefined && fresh !== undefined)
}

/** Call it when the page shows no feed, and therefore no composer. */
export function closeCompose(): void {
  leave()
  isOpen = false
  open.value = undefined
}

/**
 * Opens the composer for a conversation, which may not be the one on the page; without a composer, in a feed that has
 * one.
 */
export function composeTo(next: Session, conversation: Conversation): void {
  if (!isOpen) {
    pending = conversation
    goToNarrow(
      conversation.type === 'direct'
        ? [{ operator: 'is', operand: 'dm' }]
        : [{ operator: 'channel', operand: conversation.stream_id }],
    )
    return
  }
  if (keyOf(target.value) !== keyOf(conversation)) begin(next, conversation, true)
  focusRequests.value += 1
}

function begin(session: Session, conversation: Conversation | undefined, choose: boolean): void {
  leave()
  choosing.value = choose
  open.value = conversation && { session, key: draftsOf(session).at(conversation).key }
}

/** Runs something with the composer's text. */
const withText = (run: (drafts: Drafts, key: string) => void): void => {
  const now = open.peek()
  if (now) run(draftsOf(now.session), now.key)
}

/** Leaves the composer and keeps its text. */
export const leave = (): void => withText((drafts, key) => drafts.save(key))

/** Sets the text, which becomes a draft when typing stops. */
export const write = (text: string): void => withText((drafts, key) => drafts.write(key, text))

/** Returns a function that empties the text that the composer has now, because it was sent, unless it changes. */
export function emptying(): () => void {
  const sent = content.peek()
  const now = open.peek()
  return () => {
    if (!now || writtenTexts(now.session).get(now.key)?.text !== sent) return
    draftsOf(now.session).write(now.key, '')
    draftsOf(now.session).save(now.key)
  }
}

/** Other recipients for the same text. */
export const retarget = (conversation: Conversation): void =>
  withText((drafts, key) => keyOf(target.peek()) !== keyOf(conversation) && drafts.readdress(key, conversation))

/** Puts a text before the draft of a conversation, in the composer if that is open. */
export function addText(session: Session, conversation: Conversation, text: string): void {
  const { key, text: written } = draftsOf(session).at(conversation)
  draftsOf(session).write(key, written.trim() === '' ? text : `${text}\n\n${written}`)
  draftsOf(session).save(key)
}

/** Puts a text back into the box, before what is there. */
export function restore(text: string): void {
  editsQuotes.value = undefined
  write(content.value.trim() === '' ? text : `${text}\n\n${content.value}`)
  focusRequests.value += 1
}

/** Puts words after what is there. */
export const append = (words: string): void => write(`${content.value}${/\S$/.test(content.value) ? ' ' : ''}${words}`)

/** Why the message can't be sent yet, as a sentence; empty if it can. */
export const obstacle = computed((): string => whyNotSend(content.value))

/** Why this text can't be sent to the composer's recipients, as a sentence; empty if it can. */
export function whyNotSend(text: string): string {
  const to = target.value
  const session = open.value?.session
  if (!to) return texts.compose.chooseRecipient
  if (to.type === 'direct' && to.user_ids.length === 0) return texts.compose.chooseRecipients
  const unsuited = session && to.type === 'stream' ? whyNotInTopic(session, to) : ''
  if (unsuited) return unsuited
  if (text.trim() === '') return texts.compose.nothingToSend
  if (awaitsFile(text)) return texts.compose.stillUploading
  if (session && movedTo(session, to)) return texts.compose.conversationMoved
  const refused = session && whyNotWrite(session, to)
  if (refused) return refused
  const limit = session?.state.max_message_length ?? Number.POSITIVE_INFINITY
  return text.length > limit ? texts.compose.tooLong(limit) : ''
}

/** Within so many characters of the limit it is said how many are left. */
const NEAR_LIMIT = 500

/** How many more characters the message may have, where they are few; below 0 where there are too many. */
export const roomLeft = computed((): number | undefined => {
  const left = (open.value?.session.state.max_message_length ?? Number.POSITIVE_INFINITY) - content.value.length
  return left <= NEAR_LIMIT ? left : undefined
})

/** Sends the message. Returns its destination, or nothing if something is missing. */
export function send(): Conversation | undefined {
  const empty = emptying()
  const to = sendText(content.value)
  if (to) empty()
  return to
}

/** Sends a text to the composer's recipients. The composer's own text stays. */
export function sendText(text: string): Conversation | undefined {
  const chosen = target.value
  const session = open.value?.session
  if (!session || !chosen || whyNotSend(text) !== '') return undefined
  // The server takes spaces away from the ends of topics.
  const to = chosen.type === 'stream' ? { ...chosen, topic: chosen.topic.trim() } : chosen
  if (to.type === 'stream') noteChannel(to.stream_id)
  if (to.type === 'stream') session.outbox.send({ type: 'stream', to: to.stream_id, topic: to.topic, content: text })
  else session.outbox.send({ type: 'direct', to: [...to.user_ids], content: text })
  return to
}

addEventListener('pagehide', () =>
  withText((drafts, key) => {
    drafts.save(key)
    drafts.flush()
  }),
)
