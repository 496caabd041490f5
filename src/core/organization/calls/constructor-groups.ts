import { hash } from 'node:crypto'
import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { none } from '../../kernel/fields.ts'
import { askCallServer, unexpected } from './ask-server.ts'
import { callServer } from './servers.ts'

const room = v.object({ url: v.pipe(v.string(), v.url(), v.regex(/^https?:/)) })

/**
 * POST /calls/constructorgroups/create: returns the caller's own room on the configured Constructor Groups server, which
 * creates it at the first call.
 *
 * @throws BAD_REQUEST "Constructor Groups is not configured."; also if the server can't be reached or refuses
 */
export const createConstructorGroupsCall = action(
  {
    name: 'createConstructorGroupsCall',
    summary: 'Create a Constructor Groups call',
    params: none,
    result: v.strictObject({ url: v.string() }),
    secret: true,
  },
  async ({ chat, user }) => {
    const server = callServer(chat, 'constructorGroups')
    const proof = hash('sha256', `${server.username}|${server.password}`)
    const name = `${user.full_name}'s room`
    const { body } = await askCallServer(chat, server, {
      path: '/room/default',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${server.username}|${proof}`,
        'content-type': 'application/json',
      },
      // Names of rooms are unique on the server, so it takes the second one where another person has the same name.
      body: JSON.stringify({ creator_email: user.delivery_email, name, fallback_name: `${name} (${user.id})` }),
    })
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), room), body)
    if (!answer.success) throw unexpected(server.title)
    return { url: answer.output.url }
  },
)
