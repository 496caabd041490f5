import { after, fold, isSet, isUnset, type Soon, statement } from '../../../storage/index.ts'
import { readableFiles } from '../../access/files.ts'
import { messageRow, visibleTo } from '../../access/message-visibility.ts'
import { unknownAmong } from '../../access/user-visibility.ts'
import { pathsIn } from '../../files/paths-in-text.ts'
import { imagesAmong } from '../../files/shown-images.ts'
import { isPlayed } from '../../files/types.ts'
import type { Caller } from '../../kernel/context.ts'
import { basePath } from '../../kernel/public-url.ts'
import { pacer } from '../../kernel/slices.ts'
import { byDialect, dialectOf } from '../../kernel/store.ts'
import { compileGrammars } from '../../markup/code/highlight.ts'
import type { MarkupContext } from '../../markup/context.ts'
import { findReferences } from '../../markup/render/references.ts'
import { isProse } from '../../markup/render/render.ts'
import { emptyContext } from '../../markup/render/render-plain.ts'
import { customEmojiByName } from '../../organization/emoji/custom-emoji.ts'
import { linkifiersFor } from '../../organization/linkifiers/stored.ts'
import { settingsOf } from '../../settings/organization.ts'
import { userSettingOf } from '../../settings/user.ts'
import { type AccessedStream, canReadStream, type Stream } from '../../streams/access.ts'

type Named<K extends 'users' | 'groups' | 'streams'> = MarkupContext[K]

/** Milliseconds between turns while grammars are compiled: the slowest one takes 12. */
const CODE_TURN_MS = 2

/** Only text with one of these can refer to anything in the database; most messages do not. */
const MAY_REFER = /[@#:]/

/**
 * Looks up everything that a text refers to, for its writer. Only reads.
 *
 * @param linked - streams that it may link to even if the writer can't read them
 */
export const renderContext = (caller: Caller, content: string, linked: readonly Stream[] = []): Soon<MarkupContext> =>
  after(linkifiersFor(caller, content), (linkifiers) => {
    // Plain prose refers to nothing and has no emoticons.
    if (!isProse(content)) return lookUp(caller, content, linked, linkifiers)
    return linkifiers.length === 0 ? emptyContext : { ...emptyContext, linkifiers }
  })

async function lookUp(
  caller: Caller,
  content: string,
  linked: readonly Stream[],
  linkifiers: MarkupContext['linkifiers'],
): Promise<MarkupContext> {
  const { default_code_block_language: defaultCodeLanguage } = await settingsOf(caller)
  const turn = pacer(caller, CODE_TURN_MS)
  for (const _ of compileGrammars(content, defaultCodeLanguage)) await turn()
  const context = {
    ...emptyContext,
    linkifiers,
    realmUrl: caller.origin,
    basePath: basePath(caller.chat),
    translateEmoticons: await userSettingOf(caller, 'translate_emoticons'),
    defaultCodeLanguage,
    now: caller.chat.clock.now(),
  }
  const files = await namedFiles(caller, content)
  if (!MAY_REFER.test(content)) return { ...context, ...files }
  const found = findReferences(content)
  return {
    ...context,
    ...files,
    users: await namedUsers(caller, found.userNames, found.userIds),
    groups: await namedGroups(caller, found.groupNames),
    streams: await namedStreams(caller, found.streamNames, found.topics, linked),
    customEmoji: found.emojiNames.length > 0 ? await customEmojiByName(caller) : emptyContext.customEmoji,
  }
}

/** The images and audio among the uploaded files that the writer can read. */
async function namedFiles(
  caller: Caller,
  content: string,
): Promise<Pick<MarkupContext, 'images' | 'audio' | 'previewImages'>> {
  const paths = pathsIn(content)
  if (paths.length === 0) return { images: emptyContext.images }
  const files = await readableFiles(caller, paths)
  return {
    images: imagesAmong(files),
    audio: new Set(files.filter(({ content_type }) => isPlayed(content_type)).map(({ path }) => path)),
    previewImages: (await settingsOf(caller)).inline_image_preview,
  }
}

/** Up to this many are looked up one by one. Most messages mention one or two users, and a list costs more. */
const FEW = 4
const userNamed = statement((db, p: { key: string }) =>
  db.selectFrom('user').select(['id', 'full_name', 'name_key', 'is_active']).where('name_key', '=', p.key),
)
const usersNamed = byDialect(({ textsIn, idsIn }) =>
  statement((db, p: { keys: readonly string[]; ids: readonly number[] }) =>
    db
      .selectFrom('user')
      .select(['id', 'full_name', 'name_key', 'is_active'])
      .where((eb) => eb.or([eb('name_key', 'in', textsIn(p.keys)), eb('id', 'in', idsIn(p.ids))])),
  ),
)

async function namedUsers(caller: Caller, names: readonly string[], ids: readonly number[]) {
  const users = new Map<string, { id: number; full_name: string; isSilent?: boolean }[]>()
  if (names.length + ids.length === 0) return users
  const rows = (await findNamed(caller, names.map(fold), ids)).sort(byPrecedence)
  const unknown = await unknownAmong(
    caller,
    rows.map((row) => row.id),
  )
  for (const { id, full_name, name_key, is_active } of rows) {
    if (unknown.has(id)) continue
    users.set(name_key, [...(users.get(name_key) ?? []), { id, full_name, isSilent: is_active === 0 }])
  }
  return users
}

async function findNamed({ chat, db }: Caller, keys: readonly string[], ids: readonly number[]) {
  if (ids.length > 0 || keys.length > FEW) return usersNamed(chat)(db, { keys, ids })
  const rows: Awaited<ReturnType<typeof userNamed>> = []
  for (const key of new Set(keys)) rows.push(...(await userNamed(db, { key })))
  return rows
}

/** Among users of the same name, active ones take precedence. Sorted here, since SQLite takes five times as long for it. */
const byPrecedence = (a: { id: number; is_active: number }, b: { id: number; is_active: number }) =>
  b.is_active - a.is_active || a.id - b.id

async function namedGroups({ db, chat }: Caller, names: readonly string[]): Promise<Named<'groups'>> {
  if (names.length === 0) return emptyContext.groups
  const rows = await db
    .selectFrom('user_group')
    .select(['id', 'name', 'name_key', 'is_deactivated'])
    .where('name_key', 'in', dialectOf(chat).textsIn(names.map(fold)))
    .execute()
  return new Map(rows.map((row) => [row.name_key, { ...row, isSilent: row.is_deactivated === 1 }]))
}

/** Returns the streams with these names that the writer can read or may link to. A link must not reveal others. */
async function namedStreams(
  caller: Caller,
  names: readonly string[],
  topics: readonly string[],
  linked: readonly Stream[],
): Promise<Named<'streams'>> {
  if (names.length === 0) return emptyContext.streams
  const rows = await caller.db
    .selectFrom('stream')
    .leftJoin('subscription', (join) =>
      join
        .onRef('subscription.stream_id', '=', 'stream.id')
        .on('subscription.user_id', '=', caller.user.id)
        .on('subscription.is_active', '=', isSet),
    )
    .selectAll('stream')
    .select('subscription.is_active as subscribed')
    .where('stream.name_key', 'in', dialectOf(caller.chat).textsIn(names.map(fold)))
    .where('stream.is_archived', '=', isUnset)
    .execute()
  const mayLink = new Set(linked.map((stream) => stream.id))
  const streams = new Map<string, AccessedStream & { newest: Map<string, number> }>()
  for (const row of rows) {
    const stream = { ...row, subscribed: row.subscribed === 1, newest: new Map<string, number>() }
    if (mayLink.has(stream.id) || canReadStream(stream, caller.user)) streams.set(stream.name_key, stream)
  }
  for (const name of topics) {
    const arrow = name.indexOf('>')
    const [stream, topic] = [streams.get(fold(name.slice(0, arrow))), name.slice(arrow + 1)]
    const newest = stream && (await newestMessage(caller, stream.id, topic))
    if (newest !== undefined) stream!.newest.set(topic, newest)
  }
  return streams
}

/** The newest message of a topic that the writer can see. */
async function newestMessage({ db, user }: Caller, stream_id: number, topic: string): Promise<number | undefined> {
  const found = await db
    .selectFrom('message')
    .innerJoin('topic', 'topic.id', 'message.topic_id')
    .select('message.id')
    .where('topic.stream_id', '=', stream_id)
    .where('topic.name_key', '=', fold(topic.trim()))
    .where(visibleTo(messageRow, user))
    .orderBy('message.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.id
}
