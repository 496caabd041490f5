import { sql } from 'kysely'
import type { Caller, Tx } from '../kernel/context.ts'
import { inSlices } from '../kernel/slices.ts'
import type { User } from '../kernel/user.ts'
import { escapeText } from '../markup/html.ts'
import { reindexMessage } from '../narrow/search/text.ts'

type Person = Pick<User, 'id' | 'full_name'>

/**
 * Columns with texts that may mention people: Markdown, and its HTML where that is stored. A text that is sent or edited
 * during this moves to a later table. Descriptions show a mention as bold text.
 */
const texts = [
  { table: 'scheduled_message', markdown: 'content', html: 'rendered_content' },
  { table: 'reminder', markdown: 'content', html: 'rendered_content' },
  { table: 'message', markdown: 'content', html: 'rendered_content' },
  { table: 'message_edit', markdown: 'prev_content', html: 'prev_rendered_content' },
  { table: 'stream', markdown: 'description', html: 'rendered_description', mentions: false },
  { table: 'channel_folder', markdown: 'description', html: 'rendered_description', mentions: false },
  { table: 'user_group', markdown: 'description' },
  { table: 'draft', markdown: 'content' },
  { table: 'saved_snippet', markdown: 'content' },
] as const

const FIRST_SLICE = 50

/** Makes all mentions of a person name another one. Texts of other kinds, such as a name in a sentence, stay. */
export async function renameMentions(caller: Caller, from: Person, to: Person): Promise<void> {
  const rename = renaming(from, to)
  for (const text of texts) {
    const { table, markdown } = text
    const html = 'html' in text ? text.html : undefined
    // Mentions have the person's ID in HTML. Markdown may have only the name, in capitals or not.
    const where =
      html && !('mentions' in text)
        ? sql<boolean>`${sql.ref(html)} like ${`%data-user-id="${from.id}"%`}`
        : sql<boolean>`${sql.ref(markdown)} like '%@%**%**%'`
    const found = await sql<{ id: number }>`select id from ${sql.table(table)} where ${where} order by id`.execute(
      caller.db,
    )
    const ids = found.rows.map(({ id }) => id)
    await inSlices(caller, ids, FIRST_SLICE, async (tx, slice) => {
      for (const id of slice) await renameIn(tx, { table, markdown, html }, id, rename)
    })
  }
  const archived = await sql<{ id: number }>`
    select message_id as id from archived_message where rows like ${`%data-user-id=_"${from.id}_"%`}`.execute(caller.db)
  const ids = archived.rows.map(({ id }) => id)
  await inSlices(caller, ids, FIRST_SLICE, async (tx, slice) => {
    for (const id of slice) await renameInArchived(tx, id, rename)
  })
}

type Rename = (text: { markdown: string | null; html: string | null }) => {
  markdown: string | null
  html: string | null
}

async function renameIn(
  tx: Tx,
  { table, markdown, html }: { table: (typeof texts)[number]['table']; markdown: string; html: string | undefined },
  id: number,
  rename: Rename,
): Promise<void> {
  const shown = html === undefined ? sql<null>`null` : sql<string | null>`${sql.ref(html)}`
  const { rows } = await sql<{ markdown: string | null; html: string | null }>`
    select ${sql.ref(markdown)} as markdown, ${shown} as html from ${sql.table(table)} where id = ${id}`.execute(tx.db)
  const [before] = rows
  if (!before) return
  const after = rename(before)
  if (after.markdown === before.markdown && after.html === before.html) return
  const set = [
    sql`${sql.ref(markdown)} = ${after.markdown}`,
    ...(html === undefined ? [] : [sql`${sql.ref(html)} = ${after.html}`]),
  ]
  await sql`update ${sql.table(table)} set ${sql.join(set)} where id = ${id}`.execute(tx.db)
  if (table === 'message') await reindexMessage(tx, id, after.html!)
}

interface Archived {
  message: { content: string; rendered_content: string }
  parts: { message_edit: { prev_content: string | null; prev_rendered_content: string | null }[] }
}

/** Messages that the retention policy deleted can be restored for some days. */
async function renameInArchived(tx: Tx, message_id: number, rename: Rename): Promise<void> {
  const row = await tx.db
    .selectFrom('archived_message')
    .select('rows')
    .where('message_id', '=', message_id)
    .executeTakeFirst()
  if (!row) return
  const kept = JSON.parse(row.rows) as Archived
  const { message, parts } = kept
  const now = rename({ markdown: message.content, html: message.rendered_content })
  Object.assign(message, { content: now.markdown, rendered_content: now.html })
  for (const edit of parts.message_edit) {
    const earlier = rename({ markdown: edit.prev_content, html: edit.prev_rendered_content })
    Object.assign(edit, { prev_content: earlier.markdown, prev_rendered_content: earlier.html })
  }
  await tx.db
    .updateTable('archived_message')
    .set({ rows: JSON.stringify(kept) })
    .where('message_id', '=', message_id)
    .execute()
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Returns a function that puts another person into mentions. A mention may have a former name of the person: HTML has it
 * beside their ID, and Markdown has it before their ID, or like HTML.
 */
function renaming(from: Person, to: Person): Rename {
  const shown = new RegExp(`(data-user-id=")${from.id}("[^>]*>@?)([^<]*)`, 'g')
  const withId = new RegExp(`(@_?\\*\\*)[^*|\n]+\\|${from.id}(?=\\*\\*)`, 'g')
  const own = escapeText(from.full_name)
  return ({ markdown, html }) => {
    const names = new Set([own, ...[...(html ?? '').matchAll(shown)].map(([, , , name]) => name!)])
    const anyOf = [...names].map((name) => literally(unescaped(name))).join('|')
    const bold = new RegExp(`(@_?<strong>)(?:${[...names].map(literally).join('|')})(?=</strong>)`, 'gi')
    const typed = new RegExp(`(@_?\\*\\*)(?:${anyOf})(?=\\*\\*)`, 'gi')
    return {
      markdown:
        markdown
          ?.replace(withId, `$1${dollars(to.full_name)}|${to.id}`)
          .replace(typed, `$1${dollars(to.full_name)}|${to.id}`) ?? null,
      html:
        html
          ?.replace(shown, `$1${to.id}$2${dollars(escapeText(to.full_name))}`)
          .replace(bold, `$1${dollars(escapeText(to.full_name))}`) ?? null,
    }
  }
}

const unescaped = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
/** As the replacement of a pattern. */
const dollars = (text: string): string => text.replaceAll('$', '$$$$')
