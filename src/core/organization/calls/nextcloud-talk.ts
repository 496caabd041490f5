import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { described, line, maxCharacters } from '../../kernel/fields.ts'
import { askCallServer, unexpected } from './ask-server.ts'
import { callServer } from './servers.ts'

/** Talk's kind of a conversation that everybody with its link may join. */
const PUBLIC_ROOM = 3

const created = v.object({
  ocs: v.object({ data: v.object({ token: v.pipe(v.string(), v.regex(/^[\w-]+$/)) }) }),
})

/**
 * POST /calls/nextcloud_talk/create: creates a public conversation on the configured Nextcloud server.
 *
 * @throws BAD_REQUEST "Nextcloud Talk is not configured."; also if the server can't be reached or refuses
 */
export const createNextcloudTalkCall = action(
  {
    name: 'createNextcloudTalkCall',
    summary: 'Create a Nextcloud Talk call',
    params: v.object({ room_name: described(v.pipe(line, maxCharacters(255)), 'What to call the conversation.') }),
    result: v.strictObject({ url: v.string() }),
    secret: true,
  },
  async ({ chat }, { room_name }) => {
    const server = callServer(chat, 'nextcloudTalk')
    const credentials = Buffer.from(`${server.username}:${server.password}`).toString('base64')
    const { body } = await askCallServer(chat, server, {
      path: '/ocs/v2.php/apps/spreed/api/v4/room',
      headers: {
        accept: 'application/json',
        authorization: `Basic ${credentials}`,
        'content-type': 'application/json',
        // Nextcloud rejects requests without it.
        'ocs-apirequest': 'true',
      },
      body: JSON.stringify({ roomType: PUBLIC_ROOM, roomName: room_name }),
    })
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), created), body)
    if (!answer.success) throw unexpected(server.title)
    return { url: `${server.address}/index.php/call/${answer.output.ocs.data.token}` }
  },
)
