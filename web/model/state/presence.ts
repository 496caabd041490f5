import { effect } from '@preact/signals'
import { perSession, type Session } from './session.ts'

/** A user without a key press or a movement for this long counts as away. */
const IDLE_MS = 2 * 60_000

/** How many seconds the server's clock was ahead of this one when it last answered. */
const ahead = perSession(() => ({ seconds: 0 }))

/** Returns the server's time in seconds since 1970, because presences are by its clock. */
export const serverSeconds = (session: Session): number => Date.now() / 1000 + ahead(session).seconds

/**
 * Reports the reader's presence as often as the server asks, and learns who else is present, because events announce
 * only users who arrive. Returns a function that stops it.
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
