import type { Client, ClientState } from '../../../src/client/index.ts'

/** So many direct conversations are on the first screen. */
const CONVERSATIONS = 8
/** The first frame waits this long for names. */
const PATIENCE_MS = 300

/**
 * Fetches the users whose names the first frame shows, because the others come later. Returns undefined if they are
 * known.
 */
export function firstPeople(client: Client, state: ClientState): Promise<unknown> | undefined {
  const recent = [...state.recent_private_conversations]
    .sort((a, b) => b.max_message_id - a.max_message_id)
    .slice(0, CONVERSATIONS)
  const known = new Set(state.realm_users.map(({ user_id }) => user_id))
  const ids = recent.flatMap(({ user_ids }) => user_ids).filter((id) => !known.has(id))
  if (ids.length === 0) return undefined
  const loading = client.listUsers({ user_ids: ids }).then(({ members }) => {
    // All users may be there by now.
    if (state.realm_users.length === known.size) state.realm_users = [...state.realm_users, ...members]
  })
  return Promise.race([loading.catch(() => {}), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
}
