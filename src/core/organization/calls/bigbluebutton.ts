import { hash } from 'node:crypto'
import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { redirect } from '../../kernel/answers.ts'
import { randomText } from '../../kernel/base/random.ts'
import { isSameSecret } from '../../kernel/base/same-secret.ts'
import type { Chat } from '../../kernel/chat.ts'
import { secretDigest } from '../../kernel/digest.ts'
import { badRequest } from '../../kernel/errors.ts'
import { bool, described, line, maxCharacters, text } from '../../kernel/fields.ts'
import { settingsOf } from '../../settings/organization.ts'
import { askCallServer, unexpected } from './ask-server.ts'
import { type CallServer, callServer } from './servers.ts'

/** Path of the page that a call's address opens. */
export const JOIN_CALL_PATH = '/calls/bigbluebutton/join'

/** What an address of a call says; signed, so that nobody can make one for another meeting of the same server. */
const meetingEntries = {
  meeting_id: v.string(),
  name: v.string(),
  /** Whether cameras are off. */
  voice_only: v.boolean(),
  /** Who created it, and moderates it. */
  moderator: v.number(),
}
const meeting = v.strictObject(meetingEntries)
type Meeting = v.InferOutput<typeof meeting>

const signatureOf = (chat: Chat, body: string): string => secretDigest(chat, ['a BigBlueButton call', body])

function tokenOf(chat: Chat, call: Meeting): string {
  const body = Buffer.from(JSON.stringify(call)).toString('base64url')
  return `${body}.${signatureOf(chat, body)}`
}

/** @throws ChatError BAD_REQUEST "Invalid signature." */
function meetingOf(chat: Chat, token: string): Meeting {
  const [body = '', signature = ''] = token.split('.')
  if (!isSameSecret(signature, signatureOf(chat, body))) throw badRequest('Invalid signature.')
  return v.parse(meeting, JSON.parse(Buffer.from(body, 'base64url').toString()))
}

/**
 * GET /calls/bigbluebutton/create: returns the address of a new call. The configured server creates the meeting when
 * somebody first opens it.
 *
 * @throws BAD_REQUEST "BigBlueButton is not configured."
 */
export const createBigBlueButtonCall = action(
  {
    name: 'createBigBlueButtonCall',
    summary: 'Create a BigBlueButton call',
    params: v.object({
      meeting_name: described(
        v.nullish(v.pipe(line, maxCharacters(255))),
        'What to call the meeting; the name of the organization unless given.',
      ),
      voice_only: described(v.nullish(bool, false), 'Whether cameras are off.'),
    }),
    result: v.strictObject({ url: v.string() }),
    secret: true,
  },
  async (caller, { meeting_name, voice_only }) => {
    const { chat, user, origin } = caller
    callServer(chat, 'bigBlueButton')
    // Servers reject names with fewer than two characters.
    const name = meeting_name && meeting_name.length > 1 ? meeting_name : (await settingsOf(caller)).name.padEnd(2)
    const meeting_id = `chat-${randomText(chat.random, 24)}`
    const token = tokenOf(chat, { meeting_id, name, voice_only, moderator: user.id })
    return { url: `${origin}${JOIN_CALL_PATH}?bigbluebutton=${token}` }
  },
)

/**
 * GET /calls/bigbluebutton/join: creates the meeting on the configured server unless it is under way, and opens it
 * under the caller's name.
 *
 * @throws BAD_REQUEST "BigBlueButton is not configured.", "Invalid signature."; also if the server can't be reached or
 * refuses
 */
export const joinBigBlueButtonCall = action(
  {
    name: 'joinBigBlueButtonCall',
    summary: 'Join a BigBlueButton call',
    params: v.object({ bigbluebutton: described(text, 'The signed description of the call.') }),
    result: redirect,
    answers: 'redirect',
  },
  async ({ chat, user }, { bigbluebutton }) => {
    const server = callServer(chat, 'bigBlueButton')
    const { meeting_id, name, voice_only, moderator } = meetingOf(chat, bigbluebutton)
    const request = { meetingID: meeting_id, name, lockSettingsDisableCam: String(voice_only) }
    const { body } = await askCallServer(chat, server, {
      method: 'GET',
      path: signedPath(server, 'create', request),
      headers: {},
      body: '',
    })
    if (elementOf(body, 'messageKey') === 'checksumError') {
      throw badRequest(`Error authenticating to the ${server.title} server.`)
    }
    const createTime = elementOf(body, 'createTime')
    if (elementOf(body, 'returncode') !== 'SUCCESS' || createTime === undefined) throw unexpected(server.title)
    const role = user.id === moderator ? 'MODERATOR' : 'VIEWER'
    const visitor = { meetingID: meeting_id, role, fullName: user.full_name, createTime }
    return { location: server.address + signedPath(server, 'join', visitor) }
  },
)

/** Returns the path of a call of BigBlueButton's API, with the checksum that proves that we know its secret. */
function signedPath({ password: secret }: CallServer, call: string, params: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(params).toString()
  return `/api/${call}?${query}&checksum=${hash('sha256', call + query + secret)}`
}

/** Returns the text of an element in the server's short XML answers. */
const elementOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>(?:<!\\[CDATA\\[)?([^<\\]]*)`).exec(xml)?.[1]
