import { computed, signal } from '@preact/signals'
import { texts } from '../../texts/texts.ts'
import { type Conversation, conversationKey, streamName } from '../reading/conversations.ts'
import type { FeedView } from '../reading/feed-view.ts'
import { goToNarrow } from '../state/route.ts'
import { perSession, type Session } from '../state/session.ts'
import { noteChannel } from './channels-to-write-in.ts'
import { draftsOf } from './drafts.ts'
import { movedTo } from './moved.ts'
import { whyNotInTopic, whyNotWrite } from './rights.ts'
import { awaitsFile } from './uploads.ts'

/** Where the composer's message goes. A topic or users may still be missing. */
export const target = signal<Conversation | undefined>(undefined)
/** Whether the composer shows recipients, because they aren't the conversation on the page. */
export const choosing = signal(false)
export const content = signal('')
/** Incremented to request focus: the recipient field when `choosing`, otherwise the text. */
export const focusRequests = signal(0)

/** The message being written, as a whole. */
let session: Session | undefined
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
  target.value = undefined
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

function begin(next: Session, conversation: Conversation | undefined, choose: boolean): void {
  leave()
  session = next
  target.value = conversation
  choosing.value = choose
  content.value = conversation ? draftsOf(next).textOf(conversation) : ''
}

/** Leaves the composer and keeps its text. */
export function leave(): void {
  if (session && target.value) draftsOf(session).keep(target.value, content.value)
}

/** Sets the text, which becomes a draft when typing stops. */
export function write(text: string): void {
  content.value = text
  if (session && target.value) draftsOf(session).typed(target.value, text)
}

/** Replaces a part of the text, in the composer or in a text that was left since. */
export function replaceWritten(before: string, after: string): void {
  if (target.value && content.value.includes(before)) write(content.value.replace(before, () => after))
  else if (session) draftsOf(session).replace(before, after)
}

/** Other recipients for the same text. */
export function retarget(conversation: Conversation): void {
  if (session && target.value && keyOf(target.value) !== keyOf(conversation))
    draftsOf(session).move(target.value, conversation)
  target.value = conversation
}

/** Puts a text before the draft of a conversation, in the composer if that is open. */
export function addText(to: Session, conversation: Conversation, text: string): void {
  const before = (written: string) => (written.trim() === '' ? text : `${text}\n\n${written}`)
  if (session === to && keyOf(target.peek()) === keyOf(conversation)) write(before(content.peek()))
  else draftsOf(to).keep(conversation, before(draftsOf(to).textOf(conversation)))
}

/** Puts a text back into the box, before what is there. */
export function restore(text: string): void {
  write(content.value.trim() === '' ? text : `${text}\n\n${content.value}`)
  focusRequests.value += 1
}

/** Puts words after what is there. */
export const append = (words: string): void => write(`${content.value}${/\S$/.test(content.value) ? ' ' : ''}${words}`)

/** Why the message can't be sent yet, as a sentence; empty if it can. */
export const obstacle = computed((): string => {
  const to = target.value
  if (!to) return texts.compose.chooseRecipient
  if (to.type === 'direct' && to.user_ids.length === 0) return texts.compose.chooseRecipients
  const unsuited = session && to.type === 'stream' ? whyNotInTopic(session, to) : ''
  if (unsuited) return unsuited
  if (content.value.trim() === '') return texts.compose.nothingToSend
  if (awaitsFile(content.value)) return texts.compose.stillUploading
  if (session && movedTo(session, to)) return texts.compose.conversationMoved
  const refused = session && whyNotWrite(session, to)
  if (refused) return refused
  const limit = session?.state.max_message_length ?? Number.POSITIVE_INFINITY
  return content.value.length > limit ? texts.compose.tooLong(limit) : ''
})

/** Within so many characters of the limit it is said how many are left. */
const NEAR_LIMIT = 500

/** How many more characters the message may have, where they are few; below 0 where there are too many. */
export const roomLeft = computed((): number | undefined => {
  const left = (session?.state.max_message_length ?? Number.POSITIVE_INFINITY) - content.value.length
  return left <= NEAR_LIMIT ? left : undefined
})

/** Sends the message. Returns its destination, or nothing if something is missing. */
export function send(): Conversation | undefined {
  const chosen = target.value
  if (!session || !chosen || obstacle.value !== '') return undefined
  // The server takes spaces away from the ends of topics.
  const to = chosen.type === 'stream' ? { ...chosen, topic: chosen.topic.trim() } : chosen
  const text = content.value
  if (to.type === 'stream') noteChannel(to.stream_id)
  if (to.type === 'stream') session.outbox.send({ type: 'stream', to: to.stream_id, topic: to.topic, content: text })
  else session.outbox.send({ type: 'direct', to: [...to.user_ids], content: text })
  draftsOf(session).forget(chosen)
  content.value = ''
  return to
}

/** Keeps the composer in step with drafts of other devices until the reader types. */
export const followDrafts = perSession((followed) =>
  followed.live.onChange((change) => {
    // The state that is kept from before may be older than a draft.
    const isOfDrafts = change.type === 'registered' || (change.type === 'event' && change.event.type === 'drafts')
    if (!isOfDrafts || session !== followed || !target.value) return
    const text = draftsOf(followed).afterChange(target.value, content.value)
    if (text !== undefined) content.value = text
  }),
)

addEventListener('pagehide', () => {
  leave()
  if (session) draftsOf(session).flush()
})
