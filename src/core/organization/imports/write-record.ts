import type { Avatar } from '../../accounts/avatar.ts'
import type { Tx } from '../../kernel/context.ts'
import { linkifiersOf } from '../linkifiers/stored.ts'
import type { OtherDecision } from './decision.ts'
import type { Journal } from './journal.ts'
import { writeEmoji } from './write-files.ts'
import { writeGroup, writeProfileField, writeUser } from './write-people.ts'
import { type Range, writeChannel, writeSubscription, writeTopicPolicy } from './write-places.ts'

interface RecordSituation {
  journal: Journal
  range: Range
  /** Pictures that were read before the write, by the source's user ID and by the name of the emoji. */
  avatars: ReadonlyMap<string, Avatar>
  pictures: ReadonlyMap<string, Uint8Array>
  /** Whether new subscribers of the channel can't read its earlier messages. */
  isProtected(channel: string): boolean
}

/** Writes a record other than a message or a file, with its row of the journal. */
export async function writeRecord(tx: Tx, decision: OtherDecision, situation: RecordSituation): Promise<void> {
  const { journal, range, avatars, pictures, isProtected } = situation
  if ('user' in decision) {
    await writeUser(tx, journal, decision.record, decision.user, avatars.get(decision.record.id))
    return
  }
  if ('existing' in decision) return void (await writeChannel(tx, journal, decision))
  const { record, place } = decision
  const noted = () => journal.note(tx.db, record.type, place, { id: 0, isNew: false })
  switch (record.type) {
    case 'profile_field':
      return writeProfileField(tx, journal, record)
    case 'group':
      return void (await writeGroup(tx, journal, record))
    case 'emoji':
      return writeEmoji(tx, journal, record, pictures.get(record.name)!)
    case 'subscription':
      return writeSubscription(tx, journal, record, range, isProtected(record.channel))
    case 'topic_policy':
      await writeTopicPolicy(tx, journal, record)
      return noted()
    case 'linkifier': {
      const { id } = await tx.db
        .insertInto('linkifier')
        .values({
          pattern: record.pattern,
          url_template: record.url_template,
          position: 0,
          alternative_url_templates: '[]',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      linkifiersOf.invalidate(tx)
      return journal.note(tx.db, 'linkifier', place, { id, isNew: true })
    }
    case 'snippet': {
      const user_id = journal.get('user', record.user)!.id
      const title = [...(record.title || 'Untitled')].slice(0, 60).join('')
      const row = { user_id, title, content: record.content, created_at: Math.floor(record.created ?? 0) }
      const { id } = await tx.db.insertInto('saved_snippet').values(row).returning('id').executeTakeFirstOrThrow()
      return journal.note(tx.db, 'snippet', place, { id, isNew: true })
    }
  }
}
