import { useSignal } from '@preact/signals'
import { current } from '../../model/state/account.ts'
import { closeDialog, openDialog } from '../parts/dialog.tsx'
import { notify, reasonOf } from '../parts/notices.tsx'

/** Asks for how long a link is to let people in, and makes it. */
export function openInvite(): void {
  openDialog('Invite people', <Invite />)
}

const DAY_MINUTES = 24 * 60
const times = [
  [DAY_MINUTES, 'A day'],
  [7 * DAY_MINUTES, 'A week'],
  [30 * DAY_MINUTES, 'A month'],
] as const

function Invite() {
  const minutes = useSignal<number>(7 * DAY_MINUTES)
  const link = useSignal('')
  const problem = useSignal('')
  const make = async (event: Event) => {
    event.preventDefault()
    try {
      const { invite_link } = await current.value.client.createInviteLink({ invite_expires_in_minutes: minutes.value })
      link.value = invite_link
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  const copy = () =>
    navigator.clipboard.writeText(link.value).then(
      () => {
        closeDialog()
        notify('The link is copied.')
      },
      () => notify('Copying is not allowed here: mark the link and copy it.'),
    )
  return (
    <form onSubmit={(event) => void make(event)}>
      <p>Everybody who has the link may join as a member.</p>
      <label>
        It works for
        <select value={minutes.value} onChange={(event) => (minutes.value = Number(event.currentTarget.value))}>
          {times.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {link.value && (
        <label>
          Link
          <input readOnly value={link.value} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <footer>
        {link.value ? (
          <button type="button" class="primary" onClick={() => void copy()}>
            Copy
          </button>
        ) : (
          <button type="submit" class="primary">
            Make a link
          </button>
        )}
      </footer>
    </form>
  )
}
