import { performance } from 'node:perf_hooks'
import { nextTurn } from '../../../storage/index.ts'
import type { StoredFile } from '../../access/files.ts'
import type { Caller } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { searchText } from '../../narrow/search/text.ts'
import { referredTo, type renderer, type Targets, withTargets } from './content.ts'
import type { MessageDecision } from './decision.ts'
import type { Journal } from './journal.ts'
import type { PreparedMessage } from './write-messages.ts'

/** Preparing messages yields to other work after this time. */
const TURN_MS = 10

/** The import's objects that are written already. */
export interface WrittenSituation {
  caller: Caller
  journal: Journal
  render: Awaited<ReturnType<typeof renderer>>
  /** The names of written channels and groups, and the accounts of written people, by the source's ID. */
  channels: ReadonlyMap<string, string>
  groups: ReadonlyMap<string, string>
  people: ReadonlyMap<string, { id: number; full_name: string }>
}

interface Situation extends WrittenSituation {
  /** The ID of the first of these messages. The others follow it without a gap. */
  firstId: number
}

const linkTo = (id: number, channel: string | undefined, topic: string | undefined): string =>
  channel === undefined ? `#narrow/is/dm/near/${id}` : `#**${channel}>${topic ?? ''}@${id}**`

/** Returns what the references in these contents lead to, the files by their paths, and the linked messages. */
export async function targetsOf(
  contents: readonly string[],
  { caller, journal, channels, groups, people }: Omit<WrittenSituation, 'render'>,
) {
  const files = await filesOf(caller, journal, referredTo(contents, 'file'))
  const links = await linksTo(
    caller,
    journal,
    new Set([...referredTo(contents, 'message'), ...referredTo(contents, 'message_id')]),
  )
  const targets: Targets = {
    user: (source) => people.get(source),
    group: (source) => groups.get(source),
    channel: (source) => channels.get(source),
    message: (source) => links.get(source)?.link,
    messageId: (source) => links.get(source)?.id,
    channelId: (source) => journal.get('channel', source)?.id,
    file: (source) => files.get(source),
  }
  return { targets, links, byPath: new Map([...files.values()].map((file) => [file.path, file])) }
}

/** Renders messages, and finds what they link to. It yields to other work between them. */
export async function prepareMessages(
  decisions: readonly MessageDecision[],
  { render, firstId, ...written }: Situation,
): Promise<PreparedMessage[]> {
  const contents = decisions.map(({ record }) => record.content)
  const { targets, links, byPath } = await targetsOf(contents, written)
  // Also to messages that are written together with it.
  for (const [i, { record }] of decisions.entries()) {
    const id = firstId + i
    const channel = record.channel === undefined ? undefined : written.channels.get(record.channel)
    links.set(record.id, { id, link: linkTo(id, channel, record.topic) })
  }
  const prepared: PreparedMessage[] = []
  let since = performance.now()
  for (const { record, reactions } of decisions) {
    const content = withTargets(record.content, targets)
    const rendered = render(content, record.date, (path) => byPath.get(path))
    const attached = rendered.attachmentPaths.flatMap((path) => byPath.get(path) ?? [])
    const id = firstId + prepared.length
    // Earlier versions are rendered too, for the edit history.
    const earlier = record.edits?.map((edit) => {
      if (edit.content === undefined) return { ...edit, html: undefined }
      const before = withTargets(edit.content, targets)
      return { ...edit, content: before, html: render(before, record.date, () => undefined).html }
    })
    const text = searchText(rendered.html)
    prepared.push({
      id,
      record,
      reactions,
      content,
      rendered,
      searchText: text,
      files: attached,
      edits: earlier ?? [],
    })
    if (performance.now() - since < TURN_MS) continue
    await nextTurn()
    since = performance.now()
  }
  return prepared
}

async function filesOf(
  caller: Caller,
  journal: Journal,
  sources: ReadonlySet<string>,
): Promise<Map<string, StoredFile>> {
  if (sources.size === 0) return new Map()
  const ids = new Map(
    [...sources].flatMap((source) => {
      const id = journal.get('file', source)?.id
      return id === undefined ? [] : [[id, source] as const]
    }),
  )
  const rows = await caller.db
    .selectFrom('file')
    .selectAll()
    .where('id', 'in', dialectOf(caller.chat).idsIn([...ids.keys()]))
    .execute()
  return new Map(rows.map((row) => [ids.get(row.id)!, row]))
}

async function linksTo(
  caller: Caller,
  journal: Journal,
  sources: ReadonlySet<string>,
): Promise<Map<string, { id: number; link: string }>> {
  if (sources.size === 0) return new Map()
  const rows = await caller.db
    .selectFrom('import_object')
    .innerJoin('message', 'message.id', 'import_object.object_id')
    .leftJoin('topic', 'topic.id', 'message.topic_id')
    .leftJoin('stream', 'stream.id', 'message.conversation_id')
    .select(['source_id', 'message.id', 'topic.name as topic', 'stream.name as stream'])
    .where('import_id', '=', journal.import_id)
    .where('import_object.kind', '=', 'message')
    .where('source_id', 'in', dialectOf(caller.chat).textsIn([...sources]))
    .execute()
  return new Map(
    rows.map(({ source_id, id, topic, stream }) => [
      source_id,
      { id, link: linkTo(id, stream ?? undefined, topic ?? '') },
    ]),
  )
}
