import { fold, isUnset } from '../../../storage/index.ts'
import type { Caller } from '../../context.ts'
import { customEmojiByName } from '../../emoji/custom/custom-emoji.ts'
import { badRequest } from '../../errors.ts'
import { MAX_MESSAGE_BYTES } from '../../limits.ts'
import type { MarkupContext, Rendered } from '../../markup/context.ts'
import { findReferences } from '../../markup/render/references.ts'
import { isProse, render } from '../../markup/render/render.ts'
import { emptyContext } from '../../markup/render/render-plain.ts'
import { settingsOf } from '../../settings/organization.ts'
import { userSettingOf } from '../../settings/user.ts'
import { dialectOf } from '../../store.ts'
import { type AccessedStream, canReadStream } from '../../streams/access.ts'

export interface Prepared {
  content: string
  rendered: Rendered
}

/** Only text with one of these can refer to anything in the database; most messages do not. */
const MAY_REFER = /[@#:]/

/** Checks a message's text and renders it. Reads only: it runs before the write, never inside. */
export async function prepare(caller: Caller, content: string): Promise<Prepared> {
  const bytes = Buffer.byteLength(content)
  if (bytes > MAX_MESSAGE_BYTES) {
    throw badRequest(`Message is too long: ${bytes} bytes, at most ${MAX_MESSAGE_BYTES}`)
  }
  if (content.trim() === '') throw badRequest('Message must not be empty')
  // Prose refers to nothing and has no emoticons; where an organization has linkifiers, they are asked for first.
  const context = isProse(content) ? emptyContext : await contextFor(caller, content)
  return { content, rendered: render(content, context) }
}

async function contextFor(caller: Caller, content: string): Promise<MarkupContext> {
  const context = {
    ...emptyContext,
    realmUrl: caller.origin,
    translateEmoticons: await userSettingOf(caller, 'translate_emoticons'),
    defaultCodeLanguage: (await settingsOf(caller)).default_code_block_language,
  }
  if (!MAY_REFER.test(content)) return context
  const { userNames, userIds, groupNames, streamNames, emojiNames } = findReferences(content)
  const { textsIn, idsIn } = dialectOf(caller.chat)
  const users = new Map<string, { id: number; full_name: string }[]>()
  if (userNames.length + userIds.length > 0) {
    const rows = await caller.db
      .selectFrom('user')
      .select(['id', 'full_name', 'name_key'])
      .where((eb) => eb.or([eb('name_key', 'in', textsIn(userNames.map(fold))), eb('id', 'in', idsIn(userIds))]))
      .orderBy('id')
      .execute()
    for (const row of rows) users.set(row.name_key, [...(users.get(row.name_key) ?? []), row])
  }
  const groups = new Map<string, { id: number; name: string }>()
  if (groupNames.length > 0) {
    const rows = await caller.db
      .selectFrom('user_group')
      .select(['id', 'name', 'name_key'])
      .where('name_key', 'in', textsIn(groupNames.map(fold)))
      .where('is_deactivated', '=', isUnset)
      .execute()
    for (const row of rows) groups.set(row.name_key, row)
  }
  const streams = new Map<string, { id: number; name: string }>()
  for (const stream of await namedStreams(caller, streamNames)) streams.set(stream.name_key, stream)
  const customEmoji = emojiNames.length > 0 ? await customEmojiByName(caller) : emptyContext.customEmoji
  return { ...context, users, groups, streams, customEmoji }
}

/** The streams of these names that the writer can read: a link tells of no other. */
async function namedStreams(caller: Caller, names: readonly string[]): Promise<AccessedStream[]> {
  if (names.length === 0) return []
  const rows = await caller.db
    .selectFrom('stream')
    .leftJoin('subscription', (join) =>
      join.onRef('subscription.stream_id', '=', 'stream.id').on('subscription.user_id', '=', caller.user.id),
    )
    .selectAll('stream')
    .select('subscription.is_active as subscribed')
    .where('stream.name_key', 'in', dialectOf(caller.chat).textsIn(names.map(fold)))
    .where('stream.is_archived', '=', isUnset)
    .execute()
  return rows
    .map((row) => ({ ...row, subscribed: row.subscribed === 1 }))
    .filter((stream) => canReadStream(stream, caller.user))
}
