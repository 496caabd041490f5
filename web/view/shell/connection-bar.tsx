import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useSession } from '../session-context.ts'

const PATIENCE_MS = 3000

/** Says that the line is lost, once that lasts, and when it is tried again. */
export function ConnectionBar() {
  const { connection, live } = useSession()
  const now = useSignal(Date.now())
  const since = useSignal(0)
  const offline = connection.value.status === 'offline'
  useEffect(() => {
    if (!offline) return
    since.value = Date.now()
    now.value = Date.now()
    const timer = setInterval(() => {
      now.value = Date.now()
    }, 500)
    return () => clearInterval(timer)
  }, [offline, now, since])
  const state = connection.value
  const shown = state.status === 'offline' && now.value - since.value >= PATIENCE_MS
  const seconds = state.status === 'offline' ? Math.max(0, Math.ceil((state.retryAt - now.value) / 1000)) : 0
  return (
    <div class="connection" role="status">
      {shown && (
        <p>
          No connection. {seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying …'}{' '}
          <button type="button" onClick={() => live.retry()}>
            Now
          </button>
        </p>
      )}
    </div>
  )
}
