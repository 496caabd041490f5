import { effect } from '@preact/signals'
import { perSession, type Session } from './session.ts'

/** Without a key or a movement for this long somebody counts as away. */
const IDLE_MS = 2 * 60_000

/** How many seconds the server's clock was ahead of this one when it last answered. */
const ahead = perSession(() => ({ seconds: 0 }))

/** The time on the server, in seconds since 1970: what it says of who is there is by its own clock. */
export const serverSeconds = (session: Session): number => Date.now() / 1000 + ahead(session).seconds

/**
 * Tells the others that somebody is at this page, as often as the server asks for, and learns who else is there: events tell only
 * of those who come. Returns a function that ends it.
 */
export function reportPresence(session: Session): () => void {
  const { client } = session
  let lastInput = Date.now()
  let hadInput = true
  const noteInput = () => {
    lastInput = Date.now()
    hadInput = true
  }
  const report = () => {
    const status = document.hasFocus() && Date.now() - lastInput < IDLE_MS ? 'active' : 'idle'
    const last_update_id = session.state.presence_last_update_id
    client.updatePresence({ status, new_user_input: hadInput, slim_presence: true, last_update_id }).then(
      (answer) => {
        if (answer.server_timestamp !== undefined) ahead(session).seconds = answer.server_timestamp - Date.now() / 1000
        session.takePresences(answer)
      },
      // The next one comes soon.
      () => {},
    )
    hadInput = false
  }
  const inputs = ['pointerdown', 'pointermove', 'keydown', 'focus'] as const
  for (const name of inputs) addEventListener(name, noteInput, { passive: true })
  let timer: ReturnType<typeof setInterval> | undefined
  // What has changed is asked for once there is something that it changes.
  const end = effect(() => {
    if (!session.isPeopleKnown.value) return
    timer ??= setInterval(report, session.state.server_presence_ping_interval_seconds * 1000)
    report()
  })
  return () => {
    end()
    clearInterval(timer)
    for (const name of inputs) removeEventListener(name, noteInput)
  }
}
