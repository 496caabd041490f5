import type { ClientState } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'

const JITSI = 1
const BIG_BLUE_BUTTON = 4
const CONSTRUCTOR_GROUPS = 6
const URL_TEMPLATE = 100
const DIGITS = 15

/** Whether the organization has a provider of calls. */
export const hasCalls = ({ realm_video_chat_provider: provider, realm_call_url_template }: ClientState): boolean =>
  provider !== 0 && (provider !== URL_TEMPLATE || realm_call_url_template !== null)

const newRoom = (): string => [...crypto.getRandomValues(new Uint8Array(DIGITS))].map((byte) => byte % 10).join('')

/** Returns the address of a new call at the organization's provider. Some providers' servers create it. */
export async function newCall({ client, state }: Session): Promise<string> {
  const { realm_video_chat_provider: provider, realm_name: name } = state
  if (provider === JITSI) {
    const server = state.realm_jitsi_server_url ?? state.server_jitsi_server_url
    return `${server.replace(/\/+$/, '')}/${newRoom()}`
  }
  if (provider === URL_TEMPLATE) return state.realm_call_url_template!.replaceAll('{room}', newRoom())
  if (provider === BIG_BLUE_BUTTON) return (await client.createBigBlueButtonCall({ meeting_name: name })).url
  if (provider === CONSTRUCTOR_GROUPS) return (await client.createConstructorGroupsCall()).url
  return (await client.createNextcloudTalkCall({ room_name: name })).url
}
