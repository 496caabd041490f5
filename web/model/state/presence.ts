import type { Session } from './session.ts'

/** Without a key or a movement for this long somebody counts as away. */
const IDLE_MS = 2 * 60_000

/** Tells the others that somebody is at this page, as often as the server asks for. Returns a function that ends it. */
export function reportPresence({ client, state }: Session): () => void {
  let lastInput = Date.now()
  let hadInput = true
  const noteInput = () => {
    lastInput = Date.now()
    hadInput = true
  }
  const report = () => {
    const status = document.hasFocus() && Date.now() - lastInput < IDLE_MS ? 'active' : 'idle'
    void client.updatePresence({ status, new_user_input: hadInput, ping_only: true }).catch(() => {})
    hadInput = false
  }
  const inputs = ['pointerdown', 'pointermove', 'keydown', 'focus'] as const
  for (const name of inputs) addEventListener(name, noteInput, { passive: true })
  const timer = setInterval(report, state.server_presence_ping_interval_seconds * 1000)
  report()
  return () => {
    clearInterval(timer)
    for (const name of inputs) removeEventListener(name, noteInput)
  }
}
