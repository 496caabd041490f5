import type { ClientState } from '../../../src/client/index.ts'

const JITSI = 1
const DIGITS = 15

/** Where calls take place; undefined where the organization wants none. */
export const callServer = (state: ClientState): string | undefined =>
  state.realm_video_chat_provider === JITSI
    ? (state.realm_jitsi_server_url ?? state.server_jitsi_server_url)
    : undefined

/** The address of a call that nobody knows yet. */
export function newCall(server: string): string {
  const room = [...crypto.getRandomValues(new Uint8Array(DIGITS))].map((byte) => byte % 10).join('')
  return `${server.replace(/\/+$/, '')}/${room}`
}
