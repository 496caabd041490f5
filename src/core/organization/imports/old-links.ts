import * as v from 'valibot'
import type { Db } from '../../../storage/index.ts'
import { publicAction } from '../../kernel/action.ts'
import { redirect } from '../../kernel/answers.ts'
import { ChatError } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import { servedPath } from '../../kernel/public-url.ts'

/** Path of old links, before the source and what its links have. */
export const OLD_LINKS_PATH = '/import'

/**
 * GET /import/{source}/{id}: redirects an old link of an imported message, channel or person to its new place. No sign-in,
 * because the address has only numbers: the page that opens checks who may read what is there.
 *
 * @throws NOT_FOUND if no import has brought it
 */
export const redirectOldLink = publicAction(
  {
    name: 'redirectOldLink',
    summary: 'Redirect an old link to an imported message',
    params: v.object({
      source: described(
        v.pipe(text, v.maxLength(20)),
        'Where the link is from: zulip, slack, mattermost, rocketchat, discord or jsonl.',
      ),
      id: described(
        v.pipe(text, v.maxLength(500)),
        'ID in the source, or the last parts of the old address: `C024BE91L/p1700000000000100` for Slack.',
      ),
    }),
    result: redirect,
    errors: ['NOT_FOUND'],
    answers: 'redirect',
  },
  async ({ chat, db }, { source, id }) => {
    for (const kind of ['message', 'channel', 'user'] as const)
      for (const source_id of namesOf(id)) {
        const object_id = await findObject(db, source, kind, source_id)
        const address = object_id === undefined ? undefined : await addressOf(db, kind, object_id)
        if (address !== undefined) return { location: servedPath(chat, `/${address}`) }
      }
    throw new ChatError('NOT_FOUND', 'This link leads to nothing that was imported.')
  },
)

/** What a link may call a thing: all of it, Slack's channel and time, or its last part. */
const namesOf = (path: string): Set<string> =>
  new Set([path, path.replace(/^(?:.*\/)?([^/]+)\/(p\d+)$/, '$1-$2'), path.slice(path.lastIndexOf('/') + 1)])

/** Returns the ID here of something that has this ID in a source. The newest import counts. */
async function findObject(db: Db, source: string, kind: string, source_id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('import_object')
    .innerJoin('import', 'import.id', 'import_object.import_id')
    .select('object_id')
    .where('kind', '=', kind)
    .where('source_id', '=', source_id)
    .where('import.source', '=', source)
    .orderBy('import_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.object_id
}

/** Returns the address in the page. Messages may have been moved, or deleted, since. */
async function addressOf(db: Db, kind: 'message' | 'channel' | 'user', id: number): Promise<string | undefined> {
  if (kind === 'channel') return `#narrow/channel/${id}`
  if (kind === 'user') return `#narrow/sender/${id}`
  const message = await db
    .selectFrom('message')
    .select(['conversation_id', 'topic_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!message) return undefined
  return message.topic_id === null
    ? `#narrow/is/dm/near/${id}`
    : `#narrow/channel/${message.conversation_id}/near/${id}`
}
