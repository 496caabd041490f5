import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Session } from '../../model/state/session.ts'
import { texts } from '../../texts/texts.ts'
import { shortDate, shortTime } from '../parts/times.ts'
import { useSession } from '../session-context.ts'

const PATIENCE_MS = 3000

/** Says that the page is offline, after a moment, and when it reconnects. */
export function ConnectionBar() {
  const session = useSession()
  const { connection, live, cachedAt } = session
  const now = useSignal(Date.now())
  const since = useSignal(Date.now())
  const offline = connection.value.status === 'offline'
  // Each start briefly shows stored data, which needs no notice.
  const waits = offline || cachedAt.value !== undefined
  useEffect(() => {
    if (!waits) return
    since.value = Date.now()
    now.value = Date.now()
    const timer = setInterval(() => {
      now.value = Date.now()
    }, 500)
    return () => clearInterval(timer)
  }, [waits, now, since])
  const state = connection.value
  const kept = cachedAt.value
  const shown = (offline && kept !== undefined) || (waits && now.value - since.value >= PATIENCE_MS)
  const seconds = state.status === 'offline' ? Math.max(0, Math.ceil((state.retryAt - now.value) / 1000)) : 0
  return (
    <div class="connection">
      <p class={shown ? 'bar' : 'hidden'}>
        {/* Announced once. The countdown is only visible. */}
        <span role="status">
          {shown &&
            (kept === undefined ? texts.shell.offline : texts.shell.offlineSince(moment(new Date(kept), session)))}
        </span>
        {shown && (
          <>
            {' '}
            {seconds > 0 ? texts.shell.retryIn(seconds) : texts.shell.retrying}{' '}
            <button type="button" onClick={() => live.retry()}>
              {texts.shell.retryNow}
            </button>
          </>
        )}
      </p>
    </div>
  )
}

function moment(date: Date, session: Session): string {
  const time = shortTime(date, session.read('settings').user_settings.twenty_four_hour_time)
  return date.toDateString() === new Date().toDateString()
    ? texts.shell.atTime(time)
    : texts.shell.onDate(shortDate(date), time)
}
