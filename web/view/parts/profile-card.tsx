import type { ComponentChildren } from 'preact'
import { addressOf } from '../../model/reading/conversations.ts'
import { type Person, personOf, presenceOf, presenceWords, statusOf } from '../../model/reading/people.ts'
import { go, goToNarrow } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { SessionProvider } from '../session-context.ts'
import { Avatar } from './avatar.tsx'
import { closeDialog, openDialog } from './dialog.tsx'
import { shortTime } from './times.ts'

/** Shows who somebody is, and what one can do with them. */
export function openProfile(session: Session, user_id: number): void {
  const person = personOf(session, user_id)
  if (!person) return
  openDialog(
    person.full_name,
    <SessionProvider value={session}>
      <Card session={session} person={person} />
    </SessionProvider>,
  )
}

const roleNames: Readonly<Record<number, string>> = {
  100: 'Owner',
  200: 'Administrator',
  300: 'Moderator',
  400: 'Member',
  600: 'Guest',
}

function Card({ session, person }: { session: Session; person: Person }) {
  const { user_id, delivery_email, role, is_bot, is_active, timezone, profile_data = {} } = person
  const status = statusOf(session, user_id)
  const presence = presenceOf(session, user_id)
  const fields = session.state.custom_profile_fields.flatMap(({ id, name }) => {
    const value = profile_data[id]?.value
    return value ? [[name, value] as const] : []
  })
  const rows: (readonly [string, ComponentChildren])[] = [
    [
      'Status',
      (status || undefined) && (
        <>
          <StatusEmoji user_id={user_id} /> {status?.status_text}
        </>
      ),
    ],
    ['At the moment', is_active ? presenceWords[presence] : 'deactivated'],
    ['Role', is_bot ? 'Bot' : roleNames[role]],
    ['E-mail', delivery_email],
    ['Local time', localTime(timezone, session.state.user_settings.twenty_four_hour_time)],
    ...fields,
  ]
  const open = (work: () => void) => () => {
    closeDialog()
    work()
  }
  return (
    <div class="profile">
      <Avatar user_id={user_id} size={80} />
      <dl>
        {rows.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt class="quiet">{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      <footer>
        <button type="button" onClick={open(() => goToNarrow([{ operator: 'sender', operand: user_id }]))}>
          Messages
        </button>
        <button
          type="button"
          class="primary"
          onClick={open(() => go(addressOf({ type: 'direct', user_ids: [user_id] })))}
        >
          Write
        </button>
      </footer>
    </div>
  )
}

/** What their clock shows, where their zone is known. */
function localTime(timeZone: string, hours24: boolean): string | undefined {
  if (timeZone === '') return undefined
  try {
    return shortTime(new Date(), hours24, timeZone)
  } catch {
    return undefined
  }
}
