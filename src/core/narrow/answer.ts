import { displayTopicName } from '../kernel/base/topic-name.ts'
import type { Caller } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { servedHtml } from '../kernel/public-url.ts'
import { pacer } from '../kernel/slices.ts'
import { dialectOf } from '../kernel/store.ts'
import { editHistories } from '../messages/history.ts'
import { currentViews, hasChanged, type MessageViewOptions } from '../messages/view.ts'
import type { EditHistoryEntry } from '../shapes/message.ts'
import type { Narrow } from './compile.ts'
import { highlighter } from './search/highlight.ts'
import type { windowAround } from './window.ts'

interface MatchFields {
  match_content: string
  match_subject: string
}

/** Search matches in messages, as HTML with the words highlighted. `turn` is awaited after each. */
async function matchFields(
  { db, chat }: Caller,
  message_ids: readonly number[],
  parts: readonly string[],
  options: { allow_empty_topic_name: boolean },
  turn: () => Promise<void>,
): Promise<Map<number, MatchFields>> {
  if (message_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('message')
    .leftJoin('topic', 'topic.id', 'message.topic_id')
    .select(['message.id', 'message.rendered_content', 'topic.name as topic'])
    .where('message.id', 'in', dialectOf(chat).idsIn(message_ids))
    .orderBy('message.id')
    .execute()
  const mark = highlighter(parts)
  const found = new Map<number, MatchFields>()
  for (const { id, rendered_content, topic } of rows) {
    const subject = topic === null ? '' : displayTopicName(topic, options.allow_empty_topic_name)
    found.set(id, { match_content: mark.html(servedHtml(chat, rendered_content)), match_subject: mark.plain(subject) })
    await turn()
  }
  return found
}

/** Messages looked up at a time, yielding to other work in between. */
const PAGE = 50

/** Messages as the API shows them, with search matches highlighted. */
async function foundViews(
  caller: Caller,
  narrow: Narrow,
  ids: readonly number[],
  options: MessageViewOptions,
  turn: () => Promise<void>,
) {
  const views = await currentViews(caller, ids, options)
  if (!narrow.parts) return views
  const fields = await matchFields(caller, ids, narrow.parts, options, turn)
  return views.map((view) => ({ ...view, ...fields.get(view.id) }))
}

type FoundView = Awaited<ReturnType<typeof foundViews>>[number] & { match_content?: string }

/** The first of these messages that fit into one answer, at least one; ascending. */
async function viewsThatFit(caller: Caller, narrow: Narrow, ids: readonly number[], options: MessageViewOptions) {
  const fitting: FoundView[] = []
  const turn = pacer(caller)
  const { answerCharacters: most } = caller.chat.options.limits
  let size = 0
  for (let start = 0; start < ids.length && size <= most; start += PAGE) {
    const page = ids.slice(start, start + PAGE)
    const views = new Map((await foundViews(caller, narrow, page, options, turn)).map((view) => [view.id, view]))
    const changed = page.filter((id) => views.has(id) && hasChanged(views.get(id)!))
    const histories = editHistories(caller, changed)
    let next = changed.length > 0 ? await histories.next() : undefined
    for (const id of page) {
      const view = views.get(id)
      if (view && next && !next.done && next.value[0] === id) {
        view.edit_history = next.value[1]
        next = await histories.next()
      }
      if (view) size += sizeOf(view)
      if (size > most && fitting.length > 0) break
      if (view) fitting.push(view)
    }
    await turn()
  }
  return { views: fitting.sort((a, b) => a.id - b.id), complete: size <= most }
}

/** Approximate number of characters a message takes in the answer. */
function sizeOf({ content, match_content, edit_history, submessages, reactions }: FoundView): number {
  const rest = submessages.length + reactions.length > 0 ? [submessages, reactions] : []
  const texts = content.length + (match_content?.length ?? 0) + JSON.stringify(rest).length
  return 1000 + texts + (edit_history ?? []).reduce((sum, entry) => sum + sizeOfEntry(entry), 0)
}

const sizeOfEntry = ({ prev_content, prev_rendered_content, prev_topic, topic }: EditHistoryEntry): number =>
  [prev_content, prev_rendered_content, prev_topic, topic].reduce((sum, text) => sum + (text?.length ?? 0), 100)

/** All these messages. Throws BAD_REQUEST where they are too large for one answer. */
export async function allViews(caller: Caller, narrow: Narrow, ids: readonly number[], options: MessageViewOptions) {
  const { views, complete } = await viewsThatFit(caller, narrow, ids, options)
  if (!complete) throw tooMuch(caller.chat.options.limits.answerCharacters)
  return views
}

/** Search matches in all these messages. Throws BAD_REQUEST where they are too large for one answer. */
export async function allMatches(
  caller: Caller,
  { parts = [] }: Narrow,
  ids: readonly number[],
  options: Pick<MessageViewOptions, 'allow_empty_topic_name'>,
): Promise<Map<number, MatchFields>> {
  const matches = new Map<number, MatchFields>()
  const turn = pacer(caller)
  const { answerCharacters: most } = caller.chat.options.limits
  let size = 0
  for (let start = 0; start < ids.length; start += PAGE) {
    const page = ids.slice(start, start + PAGE)
    for (const [id, fields] of await matchFields(caller, page, parts, options, turn)) {
      matches.set(id, fields)
      size += fields.match_content.length
    }
    if (size > most) throw tooMuch(most)
  }
  return matches
}

const tooMuch = (most: number) =>
  badRequest(`The response would be larger than ${most} characters. Request fewer messages.`)

/**
 * Returns the messages of a window, or only the ones nearest to the anchor if all are too large for one response. The
 * window's ends are then missing, and the client continues where this response ends.
 */
export async function windowViews(
  caller: Caller,
  narrow: Narrow,
  { before, after, ...window }: Pick<Window, 'before' | 'after' | 'found_oldest' | 'found_newest'> & { at: number[] },
  options: MessageViewOptions,
) {
  const { views } = await viewsThatFit(caller, narrow, [...window.at, ...nearestFirst(before, after)], options)
  const shown = new Set(views.map((view) => view.id))
  return {
    messages: views,
    found_oldest: window.found_oldest && (before.length === 0 || shown.has(before[0]!)),
    found_newest: window.found_newest && (after.length === 0 || shown.has(after.at(-1)!)),
  }
}

type Window = Awaited<ReturnType<typeof windowAround>>

/** Alternates between both sides, from the anchor outwards. */
function* nearestFirst(before: readonly number[], after: readonly number[]): Generator<number> {
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    if (i < before.length) yield before[before.length - 1 - i]!
    if (i < after.length) yield after[i]!
  }
}
