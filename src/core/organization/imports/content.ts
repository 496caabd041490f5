import { type ReferenceKind, references, withoutMarks } from '../../../import/format.ts'
import { fold, isUnset } from '../../../storage/index.ts'
import type { StoredFile } from '../../access/files.ts'
import { UPLOADS_PATH } from '../../files/names.ts'
import { pathsIn } from '../../files/paths-in-text.ts'
import { imagesAmong } from '../../files/shown-images.ts'
import type { Context } from '../../kernel/context.ts'
import { basePath } from '../../kernel/public-url.ts'
import type { MarkupContext, Rendered } from '../../markup/context.ts'
import { isProse, render } from '../../markup/render/render.ts'
import { emptyContext } from '../../markup/render/render-plain.ts'
import { settingsOf } from '../../settings/organization.ts'
import { customEmojiByName } from '../emoji/custom-emoji.ts'
import { linkifiersOf } from '../linkifiers/stored.ts'

/** What references lead to, by kind and the source's id. */
export interface Targets {
  user(source: string): { id: number; full_name: string } | undefined
  group(source: string): string | undefined
  channel(source: string): string | undefined
  channelId(source: string): number | undefined
  messageId(source: string): number | undefined
  /** `#**channel>topic@id**`, or a link to a direct conversation. */
  message(source: string): string | undefined
  file(source: string): StoredFile | undefined
}

const written: Record<ReferenceKind, (targets: Targets, source: string) => string | undefined> = {
  user: (targets, source) => mention('@', targets.user(source)),
  silent: (targets, source) => mention('@_', targets.user(source)),
  group: (targets, source) => wrap('@_*', targets.group(source), '*'),
  channel: (targets, source) => wrap('#**', targets.channel(source), '**'),
  topic(targets, source) {
    const arrow = source.indexOf('>')
    const channel = targets.channel(source.slice(0, arrow))
    return channel === undefined ? undefined : `#**${channel}>${source.slice(arrow + 1)}**`
  },
  message: (targets, source) => targets.message(source),
  channel_id: (targets, source) => targets.channelId(source)?.toString(),
  message_id: (targets, source) => targets.messageId(source)?.toString(),
  file: (targets, source) => wrap(`${UPLOADS_PATH}/`, targets.file(source)?.path, ''),
}
const mention = (sign: string, user: { id: number; full_name: string } | undefined) =>
  user && `${sign}**${user.full_name}|${user.id}**`
const wrap = (before: string, name: string | undefined, after: string) =>
  name === undefined ? undefined : before + name + after

/** Content with its references written as people write them. Their targets may be missing. */
export const withTargets = (content: string, targets: Targets): string =>
  content.includes('\u0002')
    ? withoutMarks(
        content.replace(
          references,
          (_, kind: ReferenceKind, source: string) => written[kind](targets, source) ?? source,
        ),
      )
    : content

/** The sources that contents name, by kind. */
export function referredTo(contents: readonly string[], wanted: ReferenceKind): Set<string> {
  const found = new Set<string>()
  for (const content of contents) {
    if (!content.includes('\u0002')) continue
    for (const [, kind, source] of content.matchAll(references)) if (kind === wanted) found.add(source!)
  }
  return found
}

/** The names of all people, channels and groups, kept up to date while an import creates more. */
export interface Names {
  users: Map<string, { id: number; full_name: string; isSilent?: boolean }[]>
  groups: Map<string, { id: number; name: string; isSilent?: boolean }>
  streams: Map<string, { id: number; name: string }>
}

export async function loadNames({ db }: Context): Promise<Names> {
  const names: Names = { users: new Map(), groups: new Map(), streams: new Map() }
  const users = await db.selectFrom('user').select(['id', 'full_name', 'is_active']).orderBy('id').execute()
  for (const { id, full_name, is_active } of users) addPerson(names, { id, full_name, isSilent: is_active === 0 })
  for (const { id, name } of await db
    .selectFrom('user_group')
    .select(['id', 'name'])
    .where('is_deactivated', '=', isUnset)
    .execute())
    names.groups.set(fold(name), { id, name })
  for (const { id, name } of await db
    .selectFrom('stream')
    .select(['id', 'name'])
    .where('is_archived', '=', isUnset)
    .execute())
    names.streams.set(fold(name), { id, name })
  return names
}

export function addPerson({ users }: Names, person: { id: number; full_name: string; isSilent: boolean }): void {
  const key = fold(person.full_name)
  users.set(key, [...(users.get(key) ?? []), person])
}

/** Returns what renders a content; everything it may refer to is in memory. Only reads. */
export async function renderer(context: Context, names: Names) {
  const { linkifiers } = await linkifiersOf.get(context)
  const settings = await settingsOf(context)
  const all: MarkupContext = {
    ...emptyContext,
    ...names,
    customEmoji: await customEmojiByName(context),
    linkifiers,
    realmUrl: context.origin,
    basePath: basePath(context.chat),
    previewImages: settings.inline_image_preview,
    defaultCodeLanguage: settings.default_code_block_language,
  }
  return (content: string, date: number, fileAt: (path: string) => StoredFile | undefined): Rendered => {
    if (isProse(content) && linkifiers.length === 0) return render(content, emptyContext)
    const paths = content.includes(UPLOADS_PATH) ? pathsIn(content) : []
    const files = paths.flatMap((path) => fileAt(path) ?? [])
    return render(content, {
      ...all,
      now: date * 1000,
      images: files.length > 0 ? imagesAmong(files) : emptyContext.images,
    })
  }
}
