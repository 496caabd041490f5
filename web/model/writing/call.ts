import type { Session } from '../state/session.ts'

const JITSI = 1
const BIG_BLUE_BUTTON = 4
const CONSTRUCTOR_GROUPS = 6
const DIGITS = 15

/** Returns the address of a new call at the organization's provider. Some providers' servers create it. */
export async function newCall({ client, state }: Session): Promise<string> {
  const { realm_video_chat_provider: provider, realm_name: name } = state
  if (provider === JITSI) {
    const server = state.realm_jitsi_server_url ?? state.server_jitsi_server_url
    const room = [...crypto.getRandomValues(new Uint8Array(DIGITS))].map((byte) => byte % 10).join('')
    return `${server.replace(/\/+$/, '')}/${room}`
  }
  if (provider === BIG_BLUE_BUTTON) return (await client.createBigBlueButtonCall({ meeting_name: name })).url
  if (provider === CONSTRUCTOR_GROUPS) return (await client.createConstructorGroupsCall()).url
  return (await client.createNextcloudTalkCall({ room_name: name })).url
}
