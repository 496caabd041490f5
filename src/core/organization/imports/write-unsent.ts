import { cleanContent } from '../../../import/format.ts'
import { flag } from '../../../storage/index.ts'
import type { StoredFile } from '../../access/files.ts'
import { callerOf, type Tx } from '../../kernel/context.ts'
import { findUser } from '../../kernel/user.ts'
import { reminderText } from '../../messages/scheduled/reminder-text.ts'
import { withTargets } from './content.ts'
import type { UnsentDecision } from './decision.ts'
import type { Journal } from './journal.ts'
import { targetsOf, type WrittenSituation } from './prepare-messages.ts'
import { conversationOf, type Range } from './write-places.ts'

/** A text whose references lead to imported objects. */
interface Prepared {
  content: string
  html: string
  files: readonly StoredFile[]
}

interface Situation extends WrittenSituation {
  range: Range
}

/** Writes a draft, scheduled message or reminder, unless it was written before. */
export async function writeUnsent({ record, place }: UnsentDecision, situation: Situation): Promise<void> {
  const { caller, journal, range } = situation
  if (journal.get(record.type, place)) return
  const reminded = record.type === 'reminder' ? await messageOf(record, situation) : undefined
  const prepared = await prepare(reminded?.text ?? ('content' in record ? record.content : ''), record, situation)
  await caller.write(async (tx) => {
    journal.begin()
    const id =
      record.type === 'draft'
        ? await writeDraft(tx, journal, record, prepared)
        : record.type === 'scheduled_message'
          ? await writeScheduled(tx, { journal, range }, record, prepared)
          : await writeReminder(tx, journal, record, { ...prepared, message_id: reminded!.id })
    await journal.note(tx.db, record.type, place, { id, isNew: true })
  })
  journal.settle()
}

type Of<T extends UnsentDecision['record']['type']> = Extract<UnsentDecision['record'], { type: T }>

async function prepare(text: string, record: UnsentDecision['record'], situation: Situation): Promise<Prepared> {
  const { targets, byPath } = await targetsOf([text], situation)
  const content = withTargets(cleanContent(text), targets)
  const date = 'date' in record ? record.date : 0
  const { html, attachmentPaths } = situation.render(content, date, (path) => byPath.get(path))
  return { content, html, files: attachmentPaths.flatMap((path) => byPath.get(path) ?? []) }
}

/** The message of a reminder, and the text that its owner gets. */
async function messageOf({ user, message, note = '' }: Of<'reminder'>, { caller, journal }: Situation) {
  const { db } = caller
  const row = await db
    .selectFrom('import_object')
    .innerJoin('message', 'message.id', 'import_object.object_id')
    .selectAll('message')
    .where('import_id', '=', journal.import_id)
    .where('import_object.kind', '=', 'message')
    .where('source_id', '=', message)
    .executeTakeFirstOrThrow()
  const owner = (await findUser(db, journal.get('user', user)!.id))!
  return { id: row.id, text: await reminderText(callerOf(caller.chat, owner, {}), row, note) }
}

async function writeDraft(tx: Tx, journal: Journal, record: Of<'draft'>, { content, files }: Prepared) {
  const stream = record.channel === undefined ? undefined : journal.get('channel', record.channel)!.id
  const to = stream === undefined ? (record.direct ?? []).map((user) => journal.get('user', user)!.id) : [stream]
  const { id } = await tx.db
    .insertInto('draft')
    .values({
      user_id: journal.get('user', record.user)!.id,
      type: stream !== undefined ? 'stream' : record.direct ? 'private' : '',
      recipients: JSON.stringify(to),
      topic: record.topic ?? '',
      content,
      edited_at: Math.floor(record.edited ?? 0),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const file of files) await tx.db.insertInto('draft_file').values({ draft_id: id, file_id: file.id }).execute()
  return id
}

async function writeScheduled(
  tx: Tx,
  { journal, range }: Pick<Situation, 'journal' | 'range'>,
  record: Of<'scheduled_message'>,
  { content, html, files }: Prepared,
): Promise<number> {
  const stream = record.channel === undefined ? undefined : journal.get('channel', record.channel)!.id
  const people = (record.direct ?? []).map((user) => journal.get('user', user)!.id)
  const { id } = await tx.db
    .insertInto('scheduled_message')
    .values({
      sender_id: journal.get('user', record.user)!.id,
      conversation_id: stream ?? (await conversationOf(tx, journal, people, range)),
      topic: stream === undefined ? null : record.topic!,
      content,
      rendered_content: html,
      client: 'import',
      deliver_at: Math.floor(record.date),
      failed: flag(false),
      failure_message: null,
      read_by_sender: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const file of files)
    await tx.db.insertInto('scheduled_message_file').values({ scheduled_message_id: id, file_id: file.id }).execute()
  return id
}

async function writeReminder(
  tx: Tx,
  journal: Journal,
  { user, date, note = '' }: Of<'reminder'>,
  { message_id, content, html }: Prepared & { message_id: number },
): Promise<number> {
  const { id } = await tx.db
    .insertInto('reminder')
    .values({
      ...{ user_id: journal.get('user', user)!.id, message_id, note, content, rendered_content: html },
      ...{ deliver_at: Math.floor(date), failed: flag(false) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
