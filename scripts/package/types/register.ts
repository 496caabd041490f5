// Types that only the published declarations have. `@ts-expect-error` marks what must not compile.
import { type Caller, register } from 'chat-server'

/** The response has the parts of the state that were asked for. */
export async function namesOf(caller: Caller): Promise<string[]> {
  const { realm_users, ...rest } = await register(caller, { event_types: ['realm_user', 'message'] })
  const { streams } = await register(caller, { fetch_event_types: ['stream'], event_types: ['message'] })
  // @ts-expect-error presences were not asked for
  rest.presences
  return [...realm_users.map((user) => user.full_name), ...streams.map((stream) => stream.name)]
}
